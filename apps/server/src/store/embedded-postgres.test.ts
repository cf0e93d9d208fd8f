import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { readSetting, writeSetting } from './settings.ts';
import { type StoreProcess, startStoreProcess } from '../../../../tests/store/store-process.ts';
import {
  copyOfStartedBase,
  isRunning,
  makeTestDirectory,
  postmasterPid,
  processesOver,
  signalEach,
} from '../../../../tests/store/test-database.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** One that had its first start; most tests are about later ones. */
let template: string;
let base: string;
let started: StoreProcess[];

beforeAll(async () => {
  template = makeTestDirectory();
  await openAndClose(template);
});
afterAll(() => fs.rmSync(template, { recursive: true, force: true }));
beforeEach(() => {
  base = copyOfStartedBase(template);
  started = [];
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map((one) => one.ended));
  await untilNothingRuns();
  fs.rmSync(base, { recursive: true, force: true });
});

function start(...options: Parameters<typeof startStoreProcess>): StoreProcess {
  const one = startStoreProcess(...options);
  started.push(one);
  return one;
}

async function untilNothingRuns(timeoutMs = 20_000): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (processesOver(base).length > 0) {
    if (Date.now() > giveUpAt) throw new Error(`still running: ${processesOver(base).join(', ')}`);
    await sleep(20);
  }
}

/** The rows among these that a fresh start does not find. */
async function lost(keys: readonly string[]): Promise<string[]> {
  const database = openDatabase({ baseDir: base });
  const { rows } = await database.pool.query<{ key: string }>('SELECT key FROM setting');
  await database.close();
  const there = new Set(rows.map((row) => row.key));
  return keys.filter((key) => !there.has(key));
}

async function untilWritten(one: StoreProcess, count: number): Promise<void> {
  const target = one.wrote.length + count;
  while (one.wrote.length < target) await sleep(5);
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('keeps rows over a restart, and leaves nothing running', async () => {
  const first = openDatabase({ baseDir: base });
  await writeSetting(first.db, 'kept', { deep: [1, 'ü'] });
  await first.close();
  expect(processesOver(base)).toEqual([]);
  expect(fs.readdirSync(join(base, 'postgres', 'run'))).toEqual([]);
  expect(fs.readdirSync(join(base, '.lock'))).toEqual([]);
  const second = openDatabase({ baseDir: base });
  expect(await readSetting(second.db, 'kept')).toEqual({ deep: [1, 'ü'] });
  await second.close();
});

test('listens on no port, lets only this account in, and has the safe settings on', async () => {
  const database = openDatabase({ baseDir: base });
  const { rows } = await database.pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'fsync', 'data_checksums', 'full_page_writes', 'synchronous_commit')",
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
    listen_addresses: '',
    fsync: 'on',
    data_checksums: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
  });
  const hba = await database.pool.query<{ type: string; auth_method: string }>(
    'SELECT type, auth_method FROM pg_hba_file_rules',
  );
  expect(hba.rows).toEqual([{ type: 'local', auth_method: 'peer' }]);
  expect(fs.statSync(join(base, 'postgres', 'run')).mode & 0o777).toBe(0o700);
  await database.close();
});

test('loses no acknowledged row and leaves nothing running when its server is killed while it writes', async () => {
  const writer = start(base, 'write');
  await untilWritten(writer, 200);
  writer.child.kill('SIGKILL');
  await writer.ended;
  await untilNothingRuns();
  expect(writer.wrote.length).toBeGreaterThanOrEqual(200);
  expect(await lost(writer.wrote)).toEqual([]);
});

test('starts again at once over the database of a server that was killed a moment ago', async () => {
  const writer = start(base, 'write');
  await untilWritten(writer, 50);
  writer.child.kill('SIGKILL');
  await writer.ended;
  expect(await lost(writer.wrote)).toEqual([]);
});

test('is started again when the database alone is killed, and has every row that was acknowledged', async () => {
  const writer = start(base, 'write');
  for (let round = 0; round < 2; round++) {
    await untilWritten(writer, 100);
    const before = postmasterPid(base);
    process.kill(before, 'SIGKILL');
    while (isRunning(before)) await sleep(5);
    await untilWritten(writer, 100);
  }
  writer.child.stdin?.write('stop\n');
  expect(await writer.ended).toBe(0);
  expect(processesOver(base)).toEqual([]);
  expect(await lost(writer.wrote)).toEqual([]);
});

test('recovers when server and database are killed at once, in spite of stale files', async () => {
  const writer = start(base, 'write');
  await untilWritten(writer, 100);
  const all = [writer.child.pid as number, ...processesOver(base)];
  // Stopped ones do not see the others end: the server would start the database again, or a keeper would tidy up.
  signalEach(all, 'SIGSTOP');
  signalEach(all, 'SIGKILL');
  await writer.ended;
  await untilNothingRuns();
  expect(fs.existsSync(join(base, 'postgres', 'data', 'postmaster.pid'))).toBe(true);
  expect(await lost(writer.wrote)).toEqual([]);
  expect(fs.readdirSync(join(base, 'postgres', 'run'))).toEqual([]);
});

test('takes over from a database whose keepers were killed, too', async () => {
  const writer = start(base, 'write');
  await untilWritten(writer, 20);
  const postmaster = postmasterPid(base);
  writer.child.kill('SIGSTOP');
  const keepers = processesOver(base).filter((pid) => commandOf(pid).startsWith('/bin/sh'));
  signalEach(keepers, 'SIGKILL');
  writer.child.kill('SIGKILL');
  await writer.ended;
  expect(isRunning(postmaster)).toBe(true);
  expect(await lost(writer.wrote)).toEqual([]);
  expect(isRunning(postmaster)).toBe(false);
});

test('leaves nothing running when a supervisor asks every process to end at once', async () => {
  const writer = start(base, 'write');
  await untilWritten(writer, 20);
  signalEach(processesOver(base), 'SIGTERM');
  writer.child.stdin?.write('stop\n');
  expect(await writer.ended).toBe(0);
  expect(processesOver(base)).toEqual([]);
  expect(await lost(writer.wrote)).toEqual([]);
});

test('lets one of two that start at once have the base directory and tells the other who has it', async () => {
  const two = [start(base), start(base)];
  const said = await Promise.all(two.map((one) => one.said(/^(ready|refused)/)));
  expect(said.filter((line) => line.startsWith('ready'))).toHaveLength(1);
  const winner = two[said.findIndex((line) => line.startsWith('ready'))] as StoreProcess;
  expect(said.find((line) => line.startsWith('refused'))).toContain(
    `base_in_use: Another Croft server (process ${winner.child.pid}) is using ${base}.`,
  );
});

test('does not take another program for its database when process ids are used again', async () => {
  const file = join(base, 'postgres', 'data', 'postmaster.pid');
  const { uid, gid } = fs.statSync(join(base, 'postgres', 'data'));
  const other = spawn('sleep', ['60'], { uid, gid });
  fs.writeFileSync(file, `${other.pid}\n/somewhere\n0\n5432\n/somewhere\n\n`, { mode: 0o600 });
  fs.chownSync(file, uid, gid);
  await openAndClose();
  expect(isRunning(Number(other.pid))).toBe(true);
  other.kill();
});

async function openAndClose(baseDir = base): Promise<void> {
  const database = openDatabase({ baseDir });
  try {
    await database.ready;
  } finally {
    await database.close();
  }
}

test('creates its database again after a first start that was interrupted', async () => {
  fs.rmSync(join(base, 'postgres'), { recursive: true });
  const leftover = join(base, 'postgres', 'data.0123456789ab.new');
  fs.mkdirSync(join(leftover, 'base'), { recursive: true });
  await openAndClose();
  expect(fs.readdirSync(join(base, 'postgres')).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('runs below a path longer than a socket address', async () => {
  const long = join(base, 'a'.repeat(120), 'b'.repeat(120));
  fs.mkdirSync(long, { recursive: true });
  fs.renameSync(join(base, 'postgres'), join(long, 'postgres'));
  await openAndClose(long);
});

describe.runIf(isRoot)('as root', () => {
  test('gives up its rights for the database, and keeps it below a directory only root may enter', async () => {
    const home = join(base, 'home');
    fs.mkdirSync(home, { mode: 0o700 });
    const database = openDatabase({ baseDir: join(home, 'croft') });
    await database.ready;
    expect(fs.statSync(join(home, 'croft', 'postgres', 'data')).uid).toBe(NOBODY);
    const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(fs.statSync(`/proc/${rows[0]?.pid}`).uid).toBe(NOBODY);
    await database.close();
    expect(fs.statSync(home).mode & 0o777).toBe(0o700);
  });

  test('refuses every account at its socket but the server’s own, also the account that the database runs as', async () => {
    const database = openDatabase({ baseDir: base });
    await database.ready;
    fs.chmodSync(base, 0o711);
    const host = join(base, 'postgres', 'run');
    const program = `
      import pg from 'pg';
      const client = new pg.Client({ host: ${JSON.stringify(host)}, user: 'croft', database: 'croft' });
      client.connect().then(() => 'in', (error) => error.code).then((said) => { console.log(said); process.exit(); });`;
    const outcome = (uid: number) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        uid,
        gid: uid,
        cwd: import.meta.dirname,
        encoding: 'utf8',
      }).stdout.trim();
    expect([outcome(0), outcome(NOBODY), outcome(1)]).toEqual(['in', '28000', 'EACCES']);
    await database.close();
  });

  test('takes the owner of the base directory for the database, where it has an account', async () => {
    giveToRoot(join(base, 'postgres', 'data'));
    fs.chownSync(base, 1, 1);
    await openAndClose();
    expect(fs.statSync(join(base, 'postgres', 'data')).uid).toBe(1);
    fs.chownSync(base, 0, 0);
    await openAndClose();
  });

  test('takes a database back that a backup has left to root', async () => {
    giveToRoot(join(base, 'postgres', 'data'));
    await openAndClose();
  });

  test('works as a user without rights, and reports a database of another account', async () => {
    fs.chownSync(base, NOBODY, NOBODY);
    fs.rmSync(join(base, '.lock'), { recursive: true });
    fs.rmSync(join(base, 'postgres'), { recursive: true });
    const one = start(base, 'write', NOBODY);
    await untilWritten(one, 20);
    one.child.kill('SIGKILL');
    await one.ended;
    await untilNothingRuns();
    const again = start(base, 'write', NOBODY);
    await untilWritten(again, 1);
    again.child.stdin?.write('stop\n');
    await again.ended;
    fs.chmodSync(base, 0o777);
    const stranger = start(base, 'idle', 1);
    const refused = /^refused base_unusable: .* belongs to user 65534: start Croft as that user/;
    expect(await stranger.said(/^(ready|refused)/)).toMatch(refused);
    // Root refuses too: the owner of the directory could replace it by a link.
    await expect(openAndClose()).rejects.toMatchObject({ code: 'base_unusable' });
    for (const part of ['.lock', 'postgres']) fs.chownSync(join(base, part), 0, 0);
    expect(await lost(one.wrote)).toEqual([]);
    fs.renameSync(join(base, 'postgres'), join(base, 'elsewhere'));
    fs.symlinkSync('elsewhere', join(base, 'postgres'));
    await expect(openAndClose()).rejects.toThrow('is not a directory');
  });
});

function giveToRoot(path: string): void {
  fs.chownSync(path, 0, 0);
  if (fs.lstatSync(path).isDirectory()) for (const name of fs.readdirSync(path)) giveToRoot(join(path, name));
}
