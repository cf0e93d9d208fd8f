import { callRate } from '../lib/load.mjs';
import { sleep } from '../lib/measure.mjs';
import { memoryMb } from '../lib/procfs.mjs';
import { tell } from '../lib/results.mjs';
import { makeSamples } from '../lib/samples.mjs';
import { withServers } from '../lib/servers.mjs';
import { loadOf } from './read.mjs';

/**
 * Resident memory of every server: a second after its first `tools/list`, and after as many reads as in the read row.
 */
export async function run(ctx) {
  const dir = ctx.makeDir('memory');
  const samples = makeSamples(dir, 64);
  const servers = [ctx.croft, ...(ctx.peers ? ctx.officials : []), ctx.bare];
  return withServers(servers, { dir, env: ctx.env }, async (sessions) => {
    for (const { client } of sessions) await client.request('tools/list', {});
    await sleep(1_000);
    const idle = {};
    const after = {};
    const highest = {};
    for (const { server, client } of sessions) {
      idle[server.name] = memoryMb(client.pid);
      for (const atOnce of [1, 32]) {
        await callRate(client, loadOf(server, dir, samples, ctx.quick ? 2_000 : 24_000, atOnce));
      }
      after[server.name] = memoryMb(client.pid);
      highest[server.name] = memoryMb(client.pid, 'VmHWM');
    }
    return [
      {
        row: 'memory',
        measure: 'croft, idle',
        value: idle.croft,
        unit: 'MB',
        op: '<=',
        bar: 70,
        gate: 'absolute',
        note: tell(idle, 'MB'),
      },
      {
        row: 'memory',
        measure: 'croft, after the read bench',
        value: after.croft,
        unit: 'MB',
        op: '<=',
        bar: 130,
        gate: 'absolute',
        note: tell(after, 'MB'),
      },
      { row: 'memory', measure: 'croft, highest', value: highest.croft, unit: 'MB', note: tell(highest, 'MB') },
    ];
  });
}
