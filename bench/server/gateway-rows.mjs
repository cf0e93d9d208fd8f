import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { median } from '../lib/measure.mjs';
import { tell } from '../lib/results.mjs';
import { makeSamples } from '../lib/samples.mjs';
import { post, startConnect, startServe } from './processes.mjs';
import { makeProject, scanOnce } from './scan.mjs';

const AT_ONCE = 200;
const MEMORY_DISK = '/dev/shm';

/** Starts a server and a daemon that shares `dir` with it, and passes both to `use`. */
async function withMachine(tmp, name, dir, use) {
  const home = join(tmp, `${name}-server`);
  // A machine is paired in a browser. With a fixed key it connects without.
  const gatewayKey = randomBytes(32).toString('hex');
  const server = await startServe(home, { CROFT_GATEWAY_API_KEY: gatewayKey });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let daemon;
  try {
    daemon = startConnect(join(tmp, `${name}-daemon`), dir, [server.url, gatewayKey, '--no-listen']);
    await daemon.next('connected');
    const call = (path, args) => post(`${server.url}/api/v1/${path}`, server.key, args, agent);
    return await use({ server, daemon, call, workspace: join(home, 'base/workspaces/shared') });
  } finally {
    agent.destroy();
    await daemon?.end();
    await server.child.end();
  }
}

/**
 * `read-file` of 4 KiB files through a server and a daemon, against the same tool over the server's own files. Both
 * over REST, in turns, so that the difference is the round trip to the machine.
 */
export async function readRows({ tmp, quick }) {
  const dir = join(tmp, 'read');
  mkdirSync(dir);
  const samples = makeSamples(dir, 64);
  return withMachine(tmp, 'read', dir, async ({ call, workspace, daemon }) => {
    mkdirSync(workspace, { recursive: true });
    for (const { path, text } of samples) writeFileSync(join(workspace, path), text);
    const remote = (n) => readOne(call, 'gateway/tools/read-file', samples[n % samples.length]);
    const local = (n) => readOne(call, 'tools/explore/read-file', samples[n % samples.length]);
    for (let n = 0; n < (quick ? 100 : 500); n++) await Promise.all([remote(n), local(n)]);
    const times = { remote: [], local: [] };
    for (let n = 0; n < (quick ? 100 : 1_000); n++) {
      times.remote.push(await timed(() => remote(n)));
      times.local.push(await timed(() => local(n)));
    }
    const { errors, tookMs } = await manyAtOnce(remote, quick ? 2 : 10);
    const [p50, p95, local50] = [at(times.remote, 0.5), at(times.remote, 0.95), at(times.local, 0.5)];
    const note = tell({ machine: p50, 'its p95': p95, local: local50 }, 'ms');
    return [
      {
        row: 'read-file',
        measure: 'p50 over the local read',
        value: p50 - local50,
        unit: 'ms',
        op: '<=',
        bar: 3,
        gate: 'absolute',
        note,
        samples: times,
      },
      {
        row: 'read-file',
        measure: `${AT_ONCE} at once, not answered right`,
        value: errors.length,
        unit: '',
        op: '=',
        bar: 0,
        gate: 'count',
        note: errors[0] ?? `all ${AT_ONCE} in ${Math.round(median(tookMs))} ms; the machine was asked every time`,
      },
      {
        row: 'read-file',
        measure: 'calls the daemon could not answer',
        value: daemon.count('unanswered'),
        unit: '',
        op: '=',
        bar: 0,
        gate: 'count',
      },
    ];
  });
}

async function readOne(call, path, sample) {
  const { status, answer } = await call(path, { filePath: sample.path, maxLines: 500 });
  if (status !== 200 || !answer.ok) throw new Error(`${path}: ${status} ${JSON.stringify(answer).slice(0, 200)}`);
  if (!answer.data.content.includes(sample.mark.toString())) throw new Error(`${path}: not the file's content`);
}

async function manyAtOnce(read, rounds) {
  const errors = [];
  const tookMs = [];
  for (let round = 0; round < rounds; round++) {
    const all = Array.from({ length: AT_ONCE }, (_, n) => read(n).catch((error) => errors.push(error.message)));
    tookMs.push(await timed(() => Promise.all(all)));
  }
  return { errors, tookMs };
}

/**
 * A project of 10,000 entries: the time of its scan, whether its tree is accepted, and the speed of answers from it.
 */
export async function treeRows({ tmp, quick }) {
  const onDisk = join(tmp, 'tree-on-disk');
  mkdirSync(onDisk);
  const inMemory = mkdtempSync(join(MEMORY_DISK, 'croft-bench-tree-'));
  try {
    const places = { disk: onDisk, memory: inMemory };
    const results = [];
    for (const [name, dir] of Object.entries(places)) {
      makeProject(dir);
      results.push(...(await scanRows(name, dir, { tmp, quick })));
    }
    return [...results, ...(await cacheRows(onDisk, { tmp, quick }))];
  } finally {
    for (const dir of [onDisk, inMemory]) rmSync(dir, { recursive: true, force: true });
  }
}

/** Scans in a process of its own each time, as a daemon does when it starts. */
async function scanRows(where, dir, { quick }) {
  const scans = [];
  for (let round = 0; round < (quick ? 3 : 9); round++) scans.push(await scanOnce(dir));
  const wall = scans.map(({ wallMs }) => wallMs);
  const cpu = scans.map(({ cpuMs }) => cpuMs);
  const wrong = scans.find(({ entries, truncated }) => entries !== 10_000 || truncated);
  if (wrong) throw new Error(`a scan of ${wrong.entries} entries`);
  const bar = { op: '<=', bar: 300, gate: 'absolute' };
  const note = where === 'memory' ? 'in tmpfs' : 'in the temporary directory, its cache warm';
  return [
    { row: 'tree', measure: `scan, ${where}`, value: median(wall), unit: 'ms', ...bar, note, samples: { wall, cpu } },
    { row: 'tree', measure: `scan, ${where}: CPU`, value: median(cpu), unit: 'ms' },
  ];
}

async function cacheRows(dir, { tmp, quick }) {
  return withMachine(tmp, 'tree', dir, async ({ call, daemon, server }) => {
    const { entries, truncated, tookMs } = await daemon.next('scanned');
    const scans = [tookMs, ...(await scansOfDaemons(dir, { tmp, quick }))];
    const ask = (tool, args) => async () => {
      const { status, answer } = await call(`gateway/tools/${tool}`, args);
      if (status !== 200 || !answer.ok) throw new Error(`${tool}: ${status} ${JSON.stringify(answer).slice(0, 200)}`);
      return answer.data;
    };
    const questions = {
      'get-file-tree': ask('get-file-tree', { dirPath: '.', maxDepth: 5 }),
      'list-files': ask('list-files', { dirPath: '.', pattern: '**/*-9*.ts', maxResults: 200 }),
      'list-files of all, 1,000': ask('list-files', { dirPath: '.', maxResults: 1_000 }),
    };
    const results = [
      {
        row: 'tree',
        measure: "scan in croft connect's own start",
        value: median(scans),
        unit: 'ms',
        op: '<=',
        bar: 300,
        note: `${scans.length} starts`,
        samples: { croft: scans },
      },
      {
        row: 'tree',
        measure: 'entries the server took',
        value: entries,
        unit: '',
        op: '=',
        bar: 10_000,
        gate: 'count',
        note: `truncated: ${truncated}, connected: ${daemon.count('connected')}`,
      },
    ].map((result) => ({ gate: 'absolute', ...result }));
    const asked = daemon.count('called');
    for (const [name, question] of Object.entries(questions)) results.push(await answerRow(name, question, quick));
    const none = await answersOfNothing(server, quick);
    results.push(
      {
        row: 'tree',
        measure: 'calls that went to the machine',
        value: daemon.count('called') - asked,
        unit: '',
        op: '=',
        bar: 0,
        gate: 'count',
      },
      { row: 'tree', measure: 'a REST request for nothing (/healthz), p50', value: none, unit: 'ms' },
    );
    return results;
  });
}

/** Scans that `croft connect` itself reports, each at a new start. */
async function scansOfDaemons(dir, { tmp, quick }) {
  const scans = [];
  for (let round = 0; round < (quick ? 1 : 6); round++) {
    const told = await withMachine(tmp, 'scans', dir, ({ daemon }) => daemon.next('scanned'));
    scans.push(told.tookMs);
  }
  return scans;
}

async function answerRow(name, question, quick) {
  const times = [];
  for (let n = 0; n < (quick ? 30 : 100); n++) await question();
  for (let n = 0; n < (quick ? 50 : 400); n++) times.push(await timed(question));
  return {
    row: 'tree',
    measure: `${name} from the cached tree, over REST, p50`,
    value: at(times, 0.5),
    unit: 'ms',
    op: '<',
    bar: 5,
    gate: 'absolute',
    note: tell({ p95: at(times, 0.95) }, 'ms'),
    samples: { croft: times },
  };
}

/** The time of the shortest request through the same server. */
async function answersOfNothing({ url }, quick) {
  const times = [];
  for (let n = 0; n < (quick ? 50 : 400); n++)
    times.push(await timed(() => fetch(`${url}/healthz`).then((answer) => answer.text())));
  return at(times, 0.5);
}

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function at(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
