// The database under load, and killed: 20 workers x 1,000 mixed transactions, then servers and databases killed
// while they write, again and again. `node --import tsx tests/soak/store.mjs [rounds]`; fails on an error or a lost row.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../apps/server/src/store/database.ts';
import { runMixedTransactions } from '../store/mixed-transactions.ts';
import { startStoreProcess } from '../store/store-process.ts';
import { makeTestDirectory, processesOver } from '../store/test-database.ts';

const WORKERS = 20;
const EACH = 1_000;
const rounds = Number(process.argv[2] ?? 20);
const base = makeTestDirectory();
let failures = 0;
const fail = (what) => {
  failures++;
  console.error(`FAIL ${what}`);
};
const ms = (since) => Math.round(performance.now() - since);

try {
  await measureStarts();
  await mix();
  for (let round = 0; round < rounds; round++) await killAndCount(round);
} finally {
  rmSync(base, { recursive: true, force: true });
}
console.log(failures === 0 ? 'the store kept everything it acknowledged' : `${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;

async function measureStarts() {
  for (const kind of ['first', 'warm', 'warm', 'warm']) {
    const startedAt = performance.now();
    const database = openDatabase({ baseDir: base });
    await database.ready;
    console.log(`${kind} start ${ms(startedAt)} ms`);
    const stoppedAt = performance.now();
    await database.close();
    if (kind === 'warm') console.log(`stop ${ms(stoppedAt)} ms`);
  }
}

async function mix() {
  const database = openDatabase({ baseDir: base });
  await database.ready;
  console.log(`idle memory ${memory()}`);
  const startedAt = performance.now();
  const { errors } = await runMixedTransactions(database.db, WORKERS, EACH);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${WORKERS} x ${EACH}: ${Math.round((WORKERS * EACH) / seconds)} pieces of work a second, ${errors.length} errors`,
  );
  console.log(`memory with ten connections ${memory()}`);
  if (errors.length > 0) fail(`${errors.length} errors, the first: ${String(errors[0])}`);
  await database.close();
}

/** Memory of all processes of PostgreSQL and its supervisor; the second number counts shared pages once. */
function memory() {
  let rss = 0;
  let pss = 0;
  for (const pid of processesOver(base)) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    rss += Number(/^Rss:\s+(\d+)/m.exec(text)?.[1]);
    pss += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]);
  }
  return `RSS ${Math.round(rss / 1024)} MB, PSS ${Math.round(pss / 1024)} MB`;
}

async function killAndCount(round) {
  const writer = startStoreProcess(base, 'write');
  await writer.said(/^ready/);
  await sleep(100 + Math.random() * 500);
  const pidFile = join(base, 'postgres/data/postmaster.pid');
  if (round % 3 !== 0 && existsSync(pidFile)) {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
    if (round % 3 === 1) await sleep(200 + Math.random() * 500);
  }
  writer.child.kill('SIGKILL');
  await writer.ended;
  // Every other round, the next start finds processes that are still ending.
  if (round % 2 === 0) {
    const giveUpAt = Date.now() + 10_000;
    while (processesOver(base).length > 0 && Date.now() < giveUpAt) await sleep(20);
    if (processesOver(base).length > 0) fail(`round ${round}: ${processesOver(base).length} processes left`);
  }
  const database = openDatabase({ baseDir: base });
  const { rows } = await database.pool.query('SELECT key FROM setting');
  await database.close();
  const there = new Set(rows.map((row) => row.key));
  const lost = writer.wrote.filter((key) => !there.has(key));
  if (lost.length > 0) fail(`round ${round}: ${lost.length} of ${writer.wrote.length} acknowledged rows lost`);
  if (processesOver(base).length > 0) fail(`round ${round}: processes left after a stop`);
  const files = execFileSync('find', [base, '-type', 's'], { encoding: 'utf8' });
  if (files !== '') fail(`round ${round}: sockets left: ${files}`);
  console.log(`round ${round}: ${writer.wrote.length} rows acknowledged, all there`);
}
