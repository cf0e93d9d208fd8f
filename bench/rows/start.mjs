import { spawnSync } from 'node:child_process';
import { StdioClient, decode } from '../lib/client.mjs';
import { interleave, median, medians, ratios, since } from '../lib/measure.mjs';
import { tell } from '../lib/results.mjs';

/**
 * Time from spawning a server to its first `tools/list`. The first start of Croft compiles and caches its code, so it
 * is reported separately; every server is warmed up once.
 */
export async function run(ctx) {
  const dir = ctx.makeDir('start');
  const servers = [ctx.croft, ...(ctx.peers ? ctx.officials : []), ctx.bare];
  const subjects = Object.fromEntries(servers.map((server) => [server.name, () => startOnce(server, dir, ctx.env)]));
  subjects['node -e 0'] = async () => {
    const start = process.hrtime.bigint();
    spawnSync(process.execPath, ['-e', '0']);
    return since(start);
  };
  const first = await startOnce(ctx.croft, dir, ctx.env);
  for (const subject of Object.values(subjects)) await subject();
  const samples = await interleave(ctx.quick ? 5 : 15, subjects);
  const times = medians(samples);
  const results = [
    { row: 'start', measure: 'croft, very first start (no code cache)', value: first, unit: 'ms' },
    {
      row: 'start',
      measure: 'croft, spawn to tools/list',
      value: times.croft,
      unit: 'ms',
      note: tell(times, 'ms'),
      samples,
    },
    { row: 'start', measure: 'croft less node itself', value: times.croft - times['node -e 0'], unit: 'ms' },
  ];
  if (ctx.peers) {
    const ratio = median(ratios(samples.croft, samples['official-2.0.1']));
    results.push({
      row: 'start',
      measure: 'croft / official 2.0.1',
      value: ratio,
      unit: 'x',
      op: '<=',
      bar: 0.6,
      gate: 'ratio',
    });
  }
  return results;
}

async function startOnce(server, dir, env) {
  const start = process.hrtime.bigint();
  const client = new StdioClient(server.command(dir), { cwd: dir, env });
  try {
    await client.initialize();
    const answer = await client.request('tools/list', {});
    const took = since(start);
    const names = decode(answer).tools.map((tool) => tool.name);
    for (const wanted of ['write_file', 'edit_file']) {
      if (!names.includes(wanted)) throw new Error(`${server.name} does not list ${wanted}: ${names.join(' ')}`);
    }
    return took;
  } finally {
    await client.close();
  }
}
