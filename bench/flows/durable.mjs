// Measures durable runs on the embedded PostgreSQL. Prints JSON: milliseconds of each row.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../apps/server/dist/store/database.js';
import { emptyFlow, runToEnd } from '../../packages/flow/dist/index.js';
import { openRuns } from '../../packages/runs/dist/index.js';
import { registryOf, sealer } from './durable-worker.mjs';

const ROUNDS = 7;
const HISTORY = 100_000;

/** 1,000 pure nodes in a chain with ten effects. */
const chain = () => flowOf(Array.from({ length: 1_010 }, (_, i) => (i % 101 === 50 ? 'Effect' : 'Pure')));

function flowOf(types) {
  return {
    ...emptyFlow('bench'),
    nodes: types.map((type, i) => ({ id: `n${i}`, type, position: { x: 0, y: 0 }, values: {} })),
    edges: types
      .slice(1)
      .map((_, i) => ({ from: { node: `n${i}`, port: 'out' }, to: { node: `n${i + 1}`, port: 'in' } })),
  };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const dir = mkdtempSync(join(tmpdir(), 'croft-bench-durable-'));
const database = openDatabase({ baseDir: dir });
await database.ready;
try {
  const connection = database.connection();
  const results = await measureOwnWorker(connection);
  Object.assign(results, await measureKilled(connection));
  console.log(JSON.stringify(results));
} finally {
  await database.close();
  rmSync(dir, { recursive: true, force: true });
}

async function measureOwnWorker(connection) {
  const flow = chain();
  let effects = 0;
  const registry = registryOf(() => void effects++);
  const runs = await openRuns({
    database: connection,
    sealer,
    worker: { name: 'bench', registry, services: () => ({}) },
  });
  const durable = async () => {
    const id = await runs.enqueue({ userId: 'ada', flow });
    const run = await runs.wait(id, 'ada');
    if (run.status !== 'completed') throw new Error(`the run is ${run.status}`);
  };
  await durable();
  const [inMemory, inDatabase] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    inMemory.push(await timed(() => runToEnd(flow, { registry, services: {} })));
    inDatabase.push(await timed(durable));
  }
  if (effects !== (2 * ROUNDS + 1) * 10) throw new Error(`${effects} effects`);
  const many = [];
  for (let n = 0; n < 1_000; n++) many.push(runs.enqueue({ userId: 'many', flow: flowOf(['Slow']) }));
  await Promise.all(many);
  const other = await timed(async () => {
    const id = await runs.enqueue({ userId: 'other', flow: flowOf(['Pure']) });
    await runs.wait(id, 'other');
  });
  const left = (await runs.list({ userId: 'many', status: 'queued', limit: 1 })).runs.length;
  if (left === 0) throw new Error('no run was waiting when the other user had theirs');
  for (const id of await Promise.all(many)) await runs.cancel(id, 'many');
  await database.pool.query(
    `INSERT INTO croft_runs.run (id, user_id, flow_name, source, status, flow, request, created_at, finished_at)
     SELECT 'h' || n, 'history', 'bench', 'api', 'completed', '', '', now() - n * interval '1 second', now()
     FROM generate_series(1, ${HISTORY}) n`,
  );
  // As autovacuum does within a minute.
  await database.pool.query('ANALYZE croft_runs.run');
  const pages = [];
  for (let after, n = 0; n < 100; n++) {
    let page;
    pages.push(
      await timed(async () => {
        page = await runs.list({ userId: 'history', limit: 100, ...(after && { after }) });
      }),
    );
    after = page.next;
  }
  await runs.close();
  return { inMemory: median(inMemory), durable: median(inDatabase), other, page: median(pages) };
}

async function measureKilled(connection) {
  const runs = await openRuns({ database: connection, sealer });
  const flow = chain();
  const middle = flow.nodes.filter(({ type }) => type === 'Effect')[5].id;
  /** Kills the worker of a run in the middle of it. */
  const kill = async (name, userId, beforeKill) => {
    const id = await runs.enqueue({ userId, flow });
    const victim = worker(connection, name, middle);
    await victim.said(`effect ${middle}`);
    const started = await beforeKill?.();
    victim.child.kill('SIGKILL');
    await victim.ended;
    return { id, killed: Date.now(), started };
  };
  /** Waits for the rest of the run; gives the time at which it went on. */
  const rest = async (id, userId, own) => {
    const { status } = await runs.wait(id, userId);
    if (status !== 'completed') throw new Error(`the run is ${status}`);
    const effects = own.lines.filter((line) => line.startsWith('effect'));
    if (effects.length !== 5) throw new Error(`${effects.length} effects after the kill instead of 5`);
    own.child.kill('SIGKILL');
    await own.ended;
    return Number(effects[0].split(' ')[2]);
  };
  const { id } = await kill('a', 'ada');
  const next = worker(connection, 'a');
  const ready = Number((await next.said('ready')).split(' ')[1]);
  const continued = await rest(id, 'ada', next);
  const startOther = async () => {
    const other = worker(connection, 'other');
    await other.said('ready');
    return other;
  };
  const second = await kill('b', 'bob', startOther);
  const takenOver = await rest(second.id, 'bob', second.started);
  await runs.close();
  return { continued: Math.max(0, continued - ready), takenOver: takenOver - second.killed };
}

function worker(connection, name, hang = '') {
  const file = new URL('./durable-worker.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [file, JSON.stringify(connection), name, hang], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  const said = async (text) => {
    for (;;) {
      const found = lines.find((line) => line.startsWith(text));
      if (found !== undefined) return found;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the worker ended before '${text}'`);
      await Promise.race([once(output, 'line'), ended]);
    }
  };
  return { child, lines, ended, said };
}
