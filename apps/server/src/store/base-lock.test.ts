import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockBase, RESTORING } from './base-lock.ts';
import { makeTestDirectory } from '../../../../tests/store/test-database.ts';

let base: string;
beforeEach(() => {
  base = makeTestDirectory();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const inUse = { code: 'base_in_use', message: expect.stringContaining(`process ${process.pid}`) };

test('is held by one, refused to the next with the holder and what to do, and free again afterwards', async () => {
  const lock = await lockBase(base);
  await expect(lockBase(base)).rejects.toMatchObject({ ...inUse, message: expect.stringContaining('CROFT_BASE_DIR') });
  await lock.release();
  expect(readdirSync(join(base, '.lock'))).toEqual([]);
  await (await lockBase(base)).release();
});

test('goes to exactly one of ten who start at once, every time', async () => {
  for (let round = 0; round < 4; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockBase(base)));
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(inUse);
    await won[0]?.value.release();
  }
});

test('clears away what starters left that were killed, named or not yet', async () => {
  const directory = join(base, '.lock');
  await (await lockBase(base)).release();
  const dead = join(directory, '4194300-0123456789abcdef');
  const server = createServer().listen(dead);
  await new Promise((resolve) => server.once('listening', resolve));
  // Its file stays, its listener does not: what a killed process leaves.
  const kept = `${dead}.kept`;
  linkSync(dead, kept);
  await new Promise((resolve) => server.close(resolve));
  renameSync(kept, dead);
  expect(readdirSync(directory)).toEqual(['4194300-0123456789abcdef']);
  const lock = await lockBase(base);
  expect(readdirSync(directory)).toHaveLength(1);
  expect(readdirSync(directory)[0]).toMatch(new RegExp(`^${process.pid}-`));
  await lock.release();
});

test('counts one who is alive and silent as the holder', async () => {
  const directory = join(base, '.lock');
  mkdirSync(directory, { mode: 0o700 });
  const server = createServer(() => {}).listen(join(directory, `${process.pid}-0123456789abcdef`));
  await new Promise((resolve) => server.once('listening', resolve));
  await expect(lockBase(base)).rejects.toMatchObject(inUse);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

test('holds in a directory whose path is longer than a socket address', async () => {
  const long = join(base, 'd'.repeat(150));
  const lock = await lockBase(long);
  await expect(lockBase(long)).rejects.toMatchObject(inUse);
  await lock.release();
});

test('keeps others than the owner out of its directory, also when its mode was 0777', async () => {
  mkdirSync(join(base, '.lock'));
  chmodSync(join(base, '.lock'), 0o777);
  const lock = await lockBase(base);
  expect(statSync(join(base, '.lock')).mode & 0o777).toBe(0o700);
  await lock.release();
});

test('says what is wrong with a base directory that is a file', async () => {
  const file = join(base, 'file');
  writeFileSync(file, '');
  await expect(lockBase(file)).rejects.toMatchObject({
    code: 'base_unusable',
    message: `${file} cannot be used as a base directory (ENOTDIR): choose one on a local file system with CROFT_BASE_DIR, or set DATABASE_URL.`,
  });
});

test.skipIf(process.getuid?.() === 0)('asks to make a base directory writable that is not', async () => {
  chmodSync(base, 0o500);
  const refused = lockBase(base);
  await expect(refused).rejects.toMatchObject({
    message: `${base} cannot be used as a base directory (EACCES): make it writable for this user, or choose another with CROFT_BASE_DIR.`,
  });
  chmodSync(base, 0o700);
});

test('refuses a base directory to which a restore did not complete, and leaves no socket', async () => {
  writeFileSync(join(base, RESTORING), '');
  await expect(lockBase(base)).rejects.toMatchObject({
    code: 'base_unusable',
    message: `A restore of a backup to ${base} did not complete. Delete that directory, and restore the backup again.`,
  });
  expect(readdirSync(join(base, '.lock'))).toEqual([]);
});

test('removes sockets without a final name after a minute, and no other files', async () => {
  const directory = join(base, '.lock');
  mkdirSync(directory, { mode: 0o700 });
  const old = Date.now() / 1_000 - 120;
  for (const name of ['1-0123456789abcdef.new', 'note', '2-0123456789abcdef.new']) {
    writeFileSync(join(directory, name), '');
    if (!name.startsWith('2')) utimesSync(join(directory, name), old, old);
  }
  await (await lockBase(base)).release();
  expect(readdirSync(directory).toSorted()).toEqual(['2-0123456789abcdef.new', 'note']);
});

/** A starting process that answers `trying` a number of times, and then ends. */
async function startOther(name: string, answers: number) {
  const directory = join(base, '.lock');
  mkdirSync(directory, { mode: 0o700, recursive: true });
  let left = answers;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('trying\n');
    if (--left === 0) server.close();
  });
  server.listen(join(directory, name));
  await new Promise((resolve) => server.once('listening', resolve));
}

test('waits for another starting process, whether it has priority or not', async () => {
  for (const name of ['0-0123456789abcdef', '99999999-0123456789abcdef']) {
    await startOther(name, 2);
    const lock = await lockBase(base);
    expect(readdirSync(join(base, '.lock'))).toHaveLength(1);
    await lock.release();
  }
});

test('can be released twice', async () => {
  const lock = await lockBase(base);
  await lock.release();
  const next = await lockBase(base);
  await lock.release();
  await expect(lockBase(base)).rejects.toMatchObject(inUse);
  await next.release();
});

test('names the base directory and what to do where it is in use', async () => {
  const lock = await lockBase(base);
  await expect(lockBase(base)).rejects.toMatchObject({
    message: `Another Croft server (process ${process.pid}) is using ${base}. Use that one, stop it first, or give this one its own base directory with CROFT_BASE_DIR.`,
  });
  await lock.release();
});
