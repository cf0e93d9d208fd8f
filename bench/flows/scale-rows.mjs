import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { row } from './row.mjs';

/** Many rows, large values and large flows: each in a process of its own. */
export function scaleRows() {
  const { loopCpu, ownCpu, firstCpu, loopWall, ownWall } = run('rows.mjs');
  const { chain, wide, largest } = run('arrange.mjs');
  const ms = (name, value, most, note = '') =>
    row(name, `${value.toFixed(0)} ms${note}`, most ? `≤ ${most.toLocaleString('en')} ms` : '', !most || value <= most);
  const mb = (name, value) => row(name, `${value.toFixed(0)} MB`, '≤ 200 MB', value <= 200);
  const placedBy = ({ byDagre }) => (byDagre ? ' (dagre)' : ' (grid)');
  return [
    mb('1,000 values of 1 MB in a chain, memory over the start', run('values.mjs', ['chain']).mb),
    mb('the same through a loop', run('values.mjs', ['loop']).mb),
    ms(
      "1,000 rows through a loop with a user's component, CPU over the same work in one context",
      loopCpu - ownCpu,
      1_000,
    ),
    ms('the same in wall time', loopWall - ownWall),
    ms('the same in the first run of a process, CPU', firstCpu),
    ms('arranging a chain of 1,000, dagre in a worker', chain.ms, 2_000, placedBy(chain)),
    ms('arranging ten rows of 100 with cross edges', wide.ms, 2_000, placedBy(wide)),
    ms('arranging 5,000', largest.ms, 2_000, placedBy(largest)),
  ];
}

/** Requests for files of one user while ten others have 50 runs at once, all the time. */
export function crowdRows() {
  const ms = (value) => `${value.toFixed(1)} ms`;
  const times = (during, idle) => `${(during / idle).toFixed(1)} × (${ms(during)} over ${ms(idle)})`;
  return ['queued', 'direct'].flatMap((kind) => {
    const { idle50, idle99, during50, during99 } = run('crowd.mjs', [kind], ['--import', 'tsx', '--conditions=source']);
    return [
      row(
        `file requests during 50 ${kind} runs at once, p99 over idle`,
        times(during99, idle99),
        '≤ 2 ×',
        during99 <= 2 * idle99,
      ),
      row('the same, p50', times(during50, idle50), '', true),
    ];
  });
}

function run(file, args = [], flags = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const done = spawnSync(process.execPath, [...flags, path, ...args], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${file} failed: ${done.stderr}`);
  return JSON.parse(done.stdout);
}
