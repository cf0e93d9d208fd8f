import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { lockBase } from '../store/base-lock.ts';
import { startTestServer } from '../testing.ts';
import { backUp, restoreBackup } from './backup.ts';

let dir: string;
let baseDir: string;
let target: string;
let restored: string;
beforeEach(() => {
  dir = testDir();
  baseDir = join(dir, 'base');
  target = join(dir, 'backup');
  restored = join(dir, 'restored');
  fs.mkdirSync(join(baseDir, 'workspaces/users'), { recursive: true });
  fs.writeFileSync(join(baseDir, 'secret-key'), 'the key', { mode: 0o600 });
  fs.writeFileSync(join(baseDir, 'workspaces/users/notes.txt'), 'a note');
});

const save = () => backUp({ baseDir, target, croft: '1.0.0' });
const restore = () => restoreBackup({ source: target, baseDir: restored });

it('a server on a restored backup has the users, files and flows', async () => {
  const first = await startTestServer();
  let second: Awaited<ReturnType<typeof startTestServer>> | undefined;
  try {
    await first.running.ready;
    const grace = await first.addUser('grace');
    await grace.json('/api/v1/files/mkdir', { method: 'POST', json: { path: 'kept' } });
    const { flow } = (await grace.json<any>('/api/v1/flows', { method: 'POST', json: { name: 'Kept flow' } })).body;
    await expect(backUp({ baseDir: first.baseDir, target, croft: '1.0.0' })).rejects.toMatchObject({
      code: 'base_in_use',
    });
    expect(fs.existsSync(target)).toBe(false);
    await first.running.close();
    expect(await backUp({ baseDir: first.baseDir, target, croft: '1.0.0' })).toMatchObject({ hasDatabase: true });
    await restore();
    second = await startTestServer({ baseDir: restored });
    await second.running.ready;
    const again = await second.signIn('grace@example.test', 'password of grace');
    expect((await again.json<any>(`/api/v1/flows/${flow.id}`)).body.flow.name).toBe('Kept flow');
    const { entries } = (await again.json<any>('/api/v1/files')).body;
    expect(entries).toEqual([expect.objectContaining({ name: 'kept' })]);
  } finally {
    await second?.stop();
    await first.stop();
  }
});

it('copies files with modes and times, symlinks as they are, and hard links as such', async () => {
  fs.writeFileSync(join(dir, 'outside.txt'), 'not copied');
  fs.chmodSync(join(baseDir, 'workspaces/users/notes.txt'), 0o640);
  fs.linkSync(join(baseDir, 'workspaces/users/notes.txt'), join(baseDir, 'trash-item'));
  fs.symlinkSync(join(dir, 'outside.txt'), join(baseDir, 'workspaces/link'));
  const progress: number[] = [];
  const summary = await backUp({
    baseDir,
    target,
    croft: '1.0.0',
    onProgress: ({ files }) => void progress.push(files),
  });
  expect([summary, progress]).toEqual([{ files: 3, bytes: 13, hasDatabase: false }, [1, 2, 3]]);
  expect(await restore()).toEqual(summary);
  const [copy, second] = [join(restored, 'workspaces/users/notes.txt'), join(restored, 'trash-item')];
  const source = fs.statSync(join(baseDir, 'workspaces/users/notes.txt'));
  expect(fs.statSync(copy)).toMatchObject({ ino: fs.statSync(second).ino, mode: source.mode });
  expect(Math.round(fs.statSync(copy).mtimeMs * 1_000)).toBe(Math.round(source.mtimeMs * 1_000));
  expect(fs.statSync(join(restored, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(fs.readlinkSync(join(restored, 'workspaces/link'))).toBe(join(dir, 'outside.txt'));
  expect(fs.lstatSync(target).mode & 0o777).toBe(0o700);
});

it('keeps names that are not UTF-8, and leaves out sockets, the lock and the cache', async () => {
  const name = Buffer.concat([Buffer.from(`${baseDir}/`), Buffer.from([0x61, 0xff])]);
  fs.writeFileSync(name, 'odd');
  fs.mkdirSync(join(baseDir, 'cache'));
  fs.writeFileSync(join(baseDir, 'cache/code.bin'), 'x');
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(baseDir, 'socket'), resolve));
  try {
    await save();
  } finally {
    await new Promise((resolve) => socket.close(resolve));
  }
  await restore();
  expect(fs.readFileSync(Buffer.concat([Buffer.from(`${restored}/`), Buffer.from([0x61, 0xff])]), 'utf8')).toBe('odd');
  expect(['cache', 'socket'].map((each) => fs.existsSync(join(restored, each)))).toEqual([false, false]);
});

describe.runIf(process.platform === 'linux')('a tree that calls cannot name', () => {
  // The function that removes directories of tests cannot remove it either.
  afterEach(() => void execFileSync('rm', ['-rf', baseDir, target, restored]));

  it('is copied with directories that are nested beyond the longest path', async () => {
    const folder = 'd'.repeat(200);
    const from = join(baseDir, 'workspaces/users');
    // As a user can: one deep directory after the other becomes the top of the next.
    for (const [top, inner] of [['a'], ['b', 'a'], ['c', 'b']] as const) {
      const way = join(from, top, ...Array.from({ length: 15 }, () => folder));
      fs.mkdirSync(way, { recursive: true });
      if (inner === undefined) fs.writeFileSync(join(way, 'deep.txt'), 'deep');
      else fs.renameSync(join(from, inner), join(way, 'inner'));
    }
    const saved = await save();
    expect(saved.files).toBe(3);
    expect(await restore()).toEqual(saved);
    const listed = JSON.parse(fs.readFileSync(join(target, 'backup.json'), 'utf8')) as { entries: { path: string }[] };
    expect(Math.max(...listed.entries.map(({ path }) => path.length))).toBeLessThan(4_096);
  });
});

it('refuses a target that is not empty or in the base directory', async () => {
  await expect(backUp({ baseDir, target: dir, croft: '1' })).rejects.toMatchObject({ code: 'not_empty' });
  fs.symlinkSync(baseDir, join(dir, 'way'));
  for (const place of [join(baseDir, 'backup'), join(dir, 'way/backup')])
    await expect(backUp({ baseDir, target: place, croft: '1' })).rejects.toMatchObject({ code: 'wrong_place' });
  expect(fs.existsSync(join(baseDir, 'backup'))).toBe(false);
});

it('restores into an unused base directory only', async () => {
  await save();
  fs.mkdirSync(join(restored, 'cache'), { recursive: true });
  const held = await lockBase(restored);
  await expect(restore()).rejects.toMatchObject({ code: 'base_in_use' });
  await held.release();
  fs.writeFileSync(join(restored, 'mine'), '');
  await expect(restore()).rejects.toMatchObject({ code: 'not_empty' });
  fs.rmSync(join(restored, 'mine'));
  await restore();
  expect(fs.readFileSync(join(restored, 'secret-key'), 'utf8')).toBe('the key');
  await (await lockBase(restored)).release();
});

it('does not restore into the backup itself', async () => {
  await save();
  restored = join(target, 'base/workspaces/again');
  await expect(restore()).rejects.toMatchObject({ code: 'wrong_place' });
  expect(fs.existsSync(restored)).toBe(false);
});

it('refuses a backup that is not complete, and one of a newer version', async () => {
  await save();
  const about = join(target, 'backup.json');
  fs.writeFileSync(about, fs.readFileSync(about, 'utf8').replace('"version":1', '"version":2'));
  await expect(restore()).rejects.toMatchObject({ code: 'not_a_backup', message: /newer Croft/ });
  fs.rmSync(about);
  await expect(restore()).rejects.toMatchObject({ code: 'not_a_backup', message: /no backup\.json/ });
  expect(fs.existsSync(restored)).toBe(false);
});

it.each([
  ['differs', (file: string) => fs.appendFileSync(file, '!')],
  ['is missing', (file: string) => fs.rmSync(file)],
  ['is not in the list', (file: string) => fs.writeFileSync(`${file}.more`, '')],
])('says which file of a damaged backup %s', async (text, damage) => {
  await save();
  damage(join(target, 'base/workspaces/users/notes.txt'));
  await expect(restore()).rejects.toMatchObject({ code: 'damaged' });
  await expect(lockBase(restored)).rejects.toMatchObject({ code: 'base_unusable', message: /did not complete/ });
  fs.rmSync(restored, { recursive: true });
  await expect(restore()).rejects.toThrow(new RegExp(`^workspaces/users/notes\\.txt.* ${text}`));
});
