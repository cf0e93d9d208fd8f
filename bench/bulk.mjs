// npm run bench:bulk: how long other callers of the process wait while one caller copies, deletes or takes back a large
// directory. One HTTP server with one workspace; a caller on a thread of its own sends one request after the other. Each
// round measures the idle server and then the operation. The result is the median of the rounds' ratios of the 99th
// percentiles; the bar is 2. A full run writes docs/results/bench-bulk.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openWorkspace } from '../packages/workspace/dist/index.js';
import { describeRun, runLines, writeResults } from '../scripts/write-results.mjs';

const BAR = 2;
const ROUNDS = 9;
const DIRECTORIES = 100;
const FILES_EACH = 100;
/** Length of an idle measurement, in milliseconds. */
const IDLE_MS = 1_500;
const rounds = Number(process.argv.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length) ?? ROUNDS);

/** Runs on its own thread: requests in a row while it is switched on, with the latency of each in milliseconds. */
const CALLER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Agent, get } = require('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let latencies;
  const call = () => {
    const began = performance.now();
    get(workerData, { agent }, (answer) => answer.resume().once('end', () => {
      latencies?.push(performance.now() - began);
      if (latencies) setImmediate(call);
    }));
  };
  parentPort.on('message', (on) => {
    if (on) { latencies = []; call(); return; }
    parentPort.postMessage(latencies);
    latencies = undefined;
  });`;

const run = describeRun();
const repo = join(dirname(fileURLToPath(import.meta.url)), '..');
// Not the system's temporary directory, which may be in memory.
const base = mkdtempSync(join(repo, '.bench-bulk-'));
try {
  const result = await measure(base);
  report(result);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function measure(dir) {
  const root = join(dir, 'workspace');
  for (let d = 0; d < DIRECTORIES; d++) {
    mkdirSync(join(root, `tree/${d}`), { recursive: true });
    for (let i = 0; i < FILES_EACH; i++) writeFileSync(join(root, `tree/${d}/${i}.txt`), 'x'.repeat(2_000));
  }
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(256 * 1024 * 1024, 'x'));
  writeFileSync(join(root, 'other.txt'), 'o'.repeat(2_000));
  const workspace = openWorkspace(root, { trashDir: join(dir, 'trash') });
  const server = createServer((_, response) => {
    workspace.write('written.txt', 'w'.repeat(2_000));
    response.end(workspace.info('other.txt', {}).version);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const caller = new Worker(CALLER, { eval: true, workerData: `http://127.0.0.1:${server.address().port}/` });
  const latenciesDuring = async (act) => {
    caller.postMessage(true);
    await act();
    const latencies = new Promise((resolve) => caller.once('message', resolve));
    caller.postMessage(false);
    return latencies;
  };
  const idle = () => latenciesDuring(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  const rows = new Map();
  try {
    await idle();
    for (let round = 0; round < rounds; round++) {
      let deleted;
      const acts = {
        'copy a directory': () => workspace.copy('tree', 'copy'),
        'move it to the trash': async () => (deleted = await workspace.delete('copy', { recursive: true })),
        'take the deletion back': () => workspace.undo(deleted.changes[0]),
        'delete it for good': async () => {
          const bare = openWorkspace(root);
          await bare.delete('copy', { recursive: true });
          await bare.settled();
          bare.close();
        },
        // A count is over after a tenth of an idle measurement: one slow disk write among so few calls would be its p99.
        'count it': async () => {
          for (const began = performance.now(); performance.now() - began < IDLE_MS; ) await workspace.usage();
        },
        'copy a file of 256 MiB': () => workspace.copy('large.bin', 'large-copy.bin'),
      };
      for (const [name, act] of Object.entries(acts)) {
        const before = await idle();
        const during = await latenciesDuring(act);
        const ratio = percentile(during, 0.99) / percentile(before, 0.99);
        const row = rows.get(name) ?? { ratios: [], idle: [], during: [], calls: 0 };
        rows.set(name, row);
        row.calls += during.length;
        // An operation of one step leaves too few calls for a percentile.
        if (during.length < 100) continue;
        row.ratios.push(ratio);
        row.idle.push(percentile(before, 0.99));
        row.during.push(percentile(during, 0.99));
      }
      rmSync(join(root, 'large-copy.bin'));
    }
  } finally {
    await caller.terminate();
    server.closeAllConnections();
    server.close();
    await workspace.settled();
    workspace.close();
  }
  return rows;
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
}

function report(rows) {
  const lines = [...rows].map(([name, { ratios, idle, during, calls }]) => {
    if (ratios.length === 0) return `| ${name} | too short to measure (${calls} calls) | | |`;
    const [a, b, c] = [idle, during, ratios].map((values) => percentile(values, 0.5));
    return `| ${name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${c.toFixed(2)} |`;
  });
  const good = [...rows.values()].every(({ ratios }) => ratios.length === 0 || percentile(ratios, 0.5) <= BAR);
  const text = `# Other callers during a bulk operation

Written by \`npm run bench:bulk\`: the 99th percentile of another caller's requests (a write and a look, over HTTP) on the
idle server and during the operation, on ${DIRECTORIES * FILES_EACH} files. Medians of ${rounds} rounds. The bar for the ratio is ${BAR}.

${runLines(run)}

| Operation | Idle p99 | p99 meanwhile | Ratio |
|---|---|---|---|
${lines.join('\n')}
`;
  if (rounds >= ROUNDS) writeResults('bench-bulk', text);
  console.log(text);
  process.exitCode = good ? 0 : 1;
}
