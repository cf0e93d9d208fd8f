import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { median, sleep } from '../lib/measure.mjs';
import { short } from '../lib/results.mjs';
import { cpuPercentOf, family, memoryOf, startConnect, startServe } from './processes.mjs';

/**
 * Time from spawning `croft serve` to the studio's page and to /readyz: with an empty base directory, where the
 * database must be created first, and with a used one.
 */
export async function startRows({ tmp, quick }) {
  const rounds = quick ? 2 : 5;
  const first = [];
  const warm = [];
  for (let round = 0; round < rounds; round++) {
    const home = join(tmp, `start-${round}`);
    first.push(await startAndEnd(home));
    // The first stop has written V8's code cache.
    warm.push(await startAndEnd(home));
  }
  return [...timesOf('first start', first, 5_000), ...timesOf('warm start', warm, 1_500)];
}

async function startAndEnd(home) {
  const { child, pageMs, readyMs } = await startServe(home);
  await child.end();
  return { pageMs, readyMs };
}

function timesOf(what, samples, barMs) {
  const page = samples.map(({ pageMs }) => pageMs);
  const ready = samples.map(({ readyMs }) => readyMs);
  const bar = { op: '<=', bar: barMs, gate: 'absolute' };
  return [
    { row: 'start', measure: `${what}: the page`, value: median(page), unit: 'ms', ...bar, ...spread(page) },
    { row: 'start', measure: `${what}: /readyz`, value: median(ready), unit: 'ms', ...spread(ready) },
  ];
}

function spread(values) {
  const note = `${values.length} starts, ${short(Math.min(...values))} to ${short(Math.max(...values))} ms`;
  return { note, samples: { croft: values } };
}

/** Resource use of an idle server after one page load: all its processes, including the database. */
export async function idleRows({ tmp, quick }) {
  const home = join(tmp, 'idle');
  await startAndEnd(home);
  const { child } = await startServe(home);
  try {
    await sleep(quick ? 3_000 : 15_000);
    const pids = family(child.process.pid);
    const cpu = await cpuPercentOf(pids, quick ? 3_000 : 20_000);
    const { rssMb, pssMb } = memoryOf(pids);
    const own = memoryOf([child.process.pid]);
    const note = `${pids.length} processes; croft ${short(own.rssMb)}, the database ${short(rssMb - own.rssMb)} MB`;
    return [
      { row: 'idle', measure: 'RSS of all', value: rssMb, unit: 'MB', op: '<=', bar: 220, gate: 'absolute', note },
      { row: 'idle', measure: 'PSS of all', value: pssMb, unit: 'MB', note: 'what is shared counted once' },
      { row: 'idle', measure: 'CPU of all', value: cpu, unit: '%', op: '<=', bar: 1, gate: 'absolute' },
    ];
  } finally {
    await child.end();
  }
}

/** Time from spawning `croft connect` until its listener is ready. */
export async function connectRows({ tmp, quick }) {
  const home = join(tmp, 'connect-home');
  const dir = join(tmp, 'connect-dir');
  mkdirSync(dir);
  const times = [];
  // One extra round: the first compiles and caches its code.
  for (let round = 0; round < (quick ? 3 : 8); round++) {
    const start = performance.now();
    const daemon = startConnect(home, dir, ['--port', '0']);
    times.push((await daemon.next('listening')).at - start);
    await daemon.end();
  }
  const [first, ...warm] = times;
  const bar = { op: '<=', bar: 500, gate: 'absolute' };
  return [
    { row: 'connect', measure: 'to listening', value: median(warm), unit: 'ms', ...bar, ...spread(warm) },
    { row: 'connect', measure: 'to listening, very first start', value: first, unit: 'ms', ...bar },
  ];
}
