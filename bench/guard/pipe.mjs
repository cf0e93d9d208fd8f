// Measures the cost of guarding: a bare node:http pipe and the guard, side by side in one run. Load generator, upstream
// and each proxy run in processes of their own; CPU time comes from /proc. `node bench/guard/pipe.mjs [--rounds N]
// [--requests N] [--modes sse,json] [--judge real|none]`.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { cpuBetween, cpuSnapshot } from '../lib/procfs.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '300' },
    modes: { type: 'string', default: 'sse,sse-tool,json,json-tool' },
    concurrency: { type: 'string', default: '1,64' },
    judge: { type: 'string', default: 'real' },
    json: { type: 'boolean', default: false },
  },
});

const children = [];
function start(file, ...args) {
  const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve({ pid: child.pid, port }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}

process.on('exit', () => {
  for (const child of children) child.kill();
});
const upstream = await start('upstream.mjs');
const url = `http://127.0.0.1:${upstream.port}`;
const targets = {
  direct: upstream,
  pipe: await start('bare-pipe.mjs', url),
  guard: await start('guard-server.mjs', url, values.judge),
};
const load = fork(new URL('load.mjs', import.meta.url));
children.push(load);
const run = (job) =>
  new Promise((resolve) => {
    load.once('message', resolve);
    load.send(job);
  });

// Warm up both, so that the comparison excludes compilation.
for (const { port } of Object.values(targets))
  for (const mode of values.modes.split(',')) await run({ mode, requests: 1000, concurrency: 16, port });

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const rows = [];
for (const mode of values.modes.split(',')) {
  for (const concurrency of values.concurrency.split(',').map(Number)) {
    const samples = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
    for (let round = -1; round < Number(values.rounds); round++) {
      for (const [name, { pid, port }] of Object.entries(targets)) {
        const requests = Number(values.requests);
        const before = cpuSnapshot(pid);
        const result = await run({ mode, requests, concurrency, port });
        const cpu = (cpuBetween(before, cpuSnapshot(pid)) * 1000) / requests;
        if (result.bad > 0) throw new Error(`${name} ${mode}: ${result.bad} replies failed`);
        if (round >= 0) samples[name].push({ ...result, cpu });
      }
    }
    for (const [name, list] of Object.entries(samples)) {
      const row = { mode, concurrency, name };
      for (const key of ['cpu', 'rps', 'first50', 'total50', 'total95'])
        row[key] = Number(median(list.map((each) => each[key])).toFixed(key === 'cpu' || key === 'rps' ? 0 : 2));
      rows.push(row);
    }
    const [cpuPipe, cpuGuard] = ['pipe', 'guard'].map((name) => median(samples[name].map((each) => each.cpu)));
    if (!values.json)
      console.log(`${mode} at ${concurrency}: guard ${(cpuGuard / cpuPipe).toFixed(2)} x the pipe's CPU`);
  }
}
if (values.json) console.log(JSON.stringify(rows));
else console.table(rows);
process.exit(0);
