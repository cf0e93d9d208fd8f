/**
 * Measures the guard against a bare pipe and a pinned gateway, and its judge on the corpus: `npm run bench:guard`.
 *
 * --rows a,b   only these rows: json, sse, json-tool, sse-tool, judge
 * --quick      few rounds; gates on counts and, with slack, on ratios (for CI)
 * --bundle F   measure this croft.cjs instead of apps/cli/dist/croft.cjs
 * --json       the results as JSON on stdout, the rest on stderr
 *
 * Ends with 1 when a bar is missed or a reply was not the right one. A full run of all rows writes docs/results/.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../lib/options.mjs';
import { asTable, describeBench, loadOfMachine, writeBench } from '../lib/report.mjs';
import { verdict } from '../lib/results.mjs';
import { judgeRows } from './judge-rows.mjs';
import {
  installPortkey,
  portkeyInstalled,
  startGuard,
  startLoad,
  startPipe,
  startPortkey,
  startScript,
} from './subjects.mjs';
import { hostileRow, MODES, wireRows } from './wire-rows.mjs';

const ROWS = [...MODES, 'judge'];
const ABOUT = { name: 'bench-guard', title: 'Bench of the guard', command: 'npm run bench:guard' };

process.exit(await main());

async function main() {
  const options = readOptions(ROWS, { takesBundle: true });
  if (!options) return 2;
  const say = (text) => (options.json ? console.error(text) : console.log(text));
  if (!portkeyInstalled() && !options.quick) installPortkey();
  if (!portkeyInstalled()) say('The peer is not installed (npm install in bench/guard-peers): measured without it.');
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), 'croft-bench-guard-')));
  const stop = () => process.exit(130);
  process.on('exit', () => rmSync(tmp, { recursive: true, force: true }));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return measure(options, tmp, say);
}

async function measure(options, tmp, say) {
  const subjects = await startSubjects(options, tmp);
  const { upstream: _, ...between } = subjects;
  const run = describeBench(Object.values(between).map(({ name, version, command }) => ({ name, version, command })));
  for (const { name, version, command } of run.subjects) say(`${name.padEnd(8)} ${version}\n         ${command}`);
  say(`commit ${run.commit}\n${run.machine}, Node ${run.node}, load ${run.loadBefore.join(' ')}\n`);
  const results = [];
  const broken = [];
  const rowsOf = {
    hostile: () => hostileRow(subjects),
    wire: () =>
      wireRows(subjects, startLoad(), { ...options, say, modes: options.rows.filter((row) => row !== 'judge') }),
    judge: () => (options.rows.includes('judge') ? judgeRows(options) : []),
  };
  for (const [name, rows] of Object.entries(rowsOf)) {
    try {
      results.push(...(await rows()));
    } catch (error) {
      // A row that could not be measured fails the run; report the others anyway.
      broken.push(`${name}: ${error.message}`);
    }
  }
  run.loadAfter = loadOfMachine();
  const missed = results.filter((result) => verdict(result, options.quick) === 'MISS');
  say(`\n${asTable(results, options.quick)}\n\nload after ${run.loadAfter.join(' ')}`);
  for (const text of broken) say(`NOT MEASURED ${text}`);
  if (options.json) console.log(JSON.stringify({ ...run, quick: options.quick, results, broken }, null, 1));
  const isWhole = ROWS.every((row) => options.rows.includes(row)) && subjects.portkey !== undefined && !options.bundle;
  if (isWhole && !options.quick && broken.length === 0) say(`written to ${writeBench(run, results, ABOUT)}`);
  const held = results.filter((result) => verdict(result, options.quick) === 'pass').length;
  say(`${held} bars held, ${missed.length} missed, ${broken.length} rows not measured`);
  return missed.length + broken.length === 0 ? 0 : 1;
}

async function startSubjects({ bundle }, tmp) {
  const root = join(tmp, 'home/proj');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}\n');
  // An empty home directory: reads no settings of this machine and does not write to its decision log.
  const env = { PATH: process.env.PATH, HOME: join(tmp, 'home'), CROFT_BASE_DIR: join(tmp, 'base') };
  const upstream = await startScript('upstream.mjs');
  const url = `http://127.0.0.1:${upstream.port}`;
  return {
    upstream,
    pipe: await startPipe(url),
    guard: await startGuard(url, { root, env, bundle }),
    ...(portkeyInstalled() && { portkey: await startPortkey(url) }),
  };
}
