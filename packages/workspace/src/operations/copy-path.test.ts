import { execFileSync } from 'node:child_process';
import fs, { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf, withReplaced } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('copies a file to a file of its own, making the directories above it', async () => {
  const { workspace, at } = open(['f = one']);
  const copied = await workspace.copy('f', 'new/g');
  expect(copied).toEqual({
    files: 1,
    directories: 0,
    bytes: 3,
    skipped: 0,
    changes: [
      { kind: 'mkdir', path: 'new' },
      { kind: 'create', path: 'new/g', after: versionOf(statSync(at('new/g'))), bytes: 3 },
    ],
  });
  expect(statSync(at('new/g')).ino).not.toBe(statSync(at('f')).ino);
  workspace.write('new/g', 'two');
  expect(readFileSync(at('f'), 'utf8')).toBe('one');
});

it('copies a directory without its links, and counts them', async () => {
  const { workspace, at } = open(['dir/a = one', 'dir/b/c = two', 'dir/l => $OUT/secret.txt']);
  expect(await workspace.copy('dir', 'copy')).toMatchObject({ files: 2, directories: 2, bytes: 6, skipped: 1 });
  expect(readdirSync(at('copy')).sort()).toEqual(['a', 'b']);
  expect(readFileSync(at('copy/b/c'), 'utf8')).toBe('two');
});

it('leaves nothing of a copy with a file that cannot be read, and names it', async () => {
  const { workspace, scratch } = open(['dir/a', 'dir/b/c']);
  const openSync = fs.openSync;
  const failing = ((path: string, ...rest: [number]) => {
    if (path.endsWith('/c')) throw Object.assign(new Error('EACCES'), { code: 'EACCES', errno: -13 });
    return openSync(path, ...rest);
  }) as typeof openSync;
  const copied = withReplaced(fs, { openSync: failing }, () => failureOf(() => workspace.copy('dir', 'copy')));
  expect(await copied).toMatchObject({ code: 'io', message: 'Cannot copy dir/b/c: Permission denied' });
  expect(readdirSync(scratch.workspace)).toEqual(['dir']);
});

it('copies no protected file under another name or with its directory', async () => {
  const { workspace, at } = open(['.env = KEY', 'dir/.env = KEY', 'dir/a = one']);
  expect((await failureOf(() => workspace.copy('.env', 'notes'))).code).toBe('denied');
  expect(await workspace.copy('dir', 'copy')).toMatchObject({ files: 1, skipped: 1 });
  expect([readdirSync(at('copy')), existsSync(at('notes'))]).toEqual([['a'], false]);
});

it('copies nothing from outside: neither through a link nor through ..', async () => {
  const { workspace, at } = open(['l => $OUT/secret.txt', 'out => $OUT']);
  for (const source of ['l', 'out', 'out/secret.txt', '../outside/secret.txt'])
    expect((await failureOf(() => workspace.copy(source, 'copy'))).code, source).toMatch(/outside/);
  expect(existsSync(at('copy'))).toBe(false);
});

it('never replaces what the destination has, and copies no directory into itself', async () => {
  const { workspace, at } = open(['f = one', 'g = two', 'dir/a']);
  expect((await failureOf(() => workspace.copy('f', 'g'))).code).toBe('exists');
  expect((await failureOf(() => workspace.copy('dir', 'dir/copy'))).code).toBe('invalid');
  expect(readFileSync(at('g'), 'utf8')).toBe('two');
  expect(readdirSync(at('dir'))).toEqual(['a']);
});

it.each([
  ['missing', 'f2', 'not_found', 'File not found: missing'],
  ['f', 'g', 'exists', 'Destination already exists: g'],
  ['dir', 'dir/copy', 'invalid', 'Cannot copy a directory into itself: dir'],
])('says why it does not copy %s to %s', async (source, destination, code, message) => {
  const { workspace } = open(['f', 'g', 'dir/a']);
  expect(await failureOf(() => workspace.copy(source, destination))).toMatchObject({ code, message });
});

it('counts the bytes and files of a directory for the quota', async () => {
  const limits = { maxBytes: 16, maxFiles: 4 };
  const { workspace, at } = open(['dir/a = 1234', 'dir/b = 1234'], { quota: limits });
  await workspace.copy('dir', 'copy');
  expect(readdirSync(at('copy')).sort()).toEqual(['a', 'b']);
});

it('leaves nothing of a copy that the quota refuses', async () => {
  const { workspace, scratch, at } = open(['dir/a = 12345', 'dir/b = 12345'], { quota: { maxBytes: 15 } });
  expect((await failureOf(() => workspace.copy('dir', 'new/copy'))).code).toBe('quota');
  expect(existsSync(at('new'))).toBe(false);
  expect(readdirSync(scratch.workspace)).toEqual(['dir']);
});

it.each(['dir', 'dir/a'])('refuses a copy of %s that grew beyond the quota after it was measured', async (source) => {
  const { workspace, scratch } = open(['dir/a = 1'], { quota: { maxBytes: 20 } });
  const grow = (() => {
    workspace.write('dir/a', 'x'.repeat(15));
    return { bavail: 1_000, bsize: 1 };
  }) as unknown as typeof fs.statfsSync;
  const copied = withReplaced(fs, { statfsSync: grow }, () => failureOf(() => workspace.copy(source, 'copy')));
  expect((await copied).code).toBe('quota');
  expect(readdirSync(scratch.workspace)).toEqual(['dir']);
});

it('refuses a special file, a large directory, and any copy in a workspace that is read-only', async () => {
  const { workspace, at } = open(['dir/a', 'dir/b', 'small/a', 'small/b = x'], { limits: { maxTreeEntries: 2 } });
  execFileSync('mkfifo', [at('pipe')]);
  expect(await failureOf(() => workspace.copy('pipe', 'copy'))).toMatchObject({
    code: 'not_regular',
    message: 'Not a regular file: pipe',
  });
  expect((await workspace.copy('small', 'copy')).files).toBe(2);
  workspace.write('dir/c', 'x');
  expect(await failureOf(() => workspace.copy('dir', 'copy2'))).toMatchObject({
    code: 'too_large',
    message: 'Directory has more than 2 entries: dir',
  });
  const readOnly = open(['f'], { readOnly: true });
  expect((await failureOf(() => readOnly.workspace.copy('f', 'g'))).code).toBe('read_only');
});

it('refuses more files than the quota has left, and counts a copy only while it is made', async () => {
  const { workspace, at } = open(['dir/a', 'dir/b'], { quota: { maxFiles: 4 } });
  await workspace.copy('dir', 'copy');
  expect((await failureOf(() => workspace.copy('dir/a', 'more'))).message).toBe(
    'Quota exceeded: 4 of 4 files exist and this adds 1. Delete files first.',
  );
  await workspace.delete('copy', { recursive: true });
  await workspace.copy('dir', 'again');
  expect(existsSync(at('again/b'))).toBe(true);
});

it('leaves nothing of a copy that is cancelled', async () => {
  const { workspace, scratch } = open(['dir/a']);
  const { code } = await failureOf(() => workspace.copy('dir', 'new/copy', { signal: AbortSignal.abort() }));
  expect([code, readdirSync(scratch.workspace)]).toEqual(['cancelled', ['dir']]);
});

it('refuses a copy for which the disk has no room, but counts no holes', async () => {
  const { workspace, at } = open(['f = 12345678', 'dir/f = 12345678', 'empty/']);
  const copyWith = (bytes: number, source: string, destination: string) =>
    withReplaced(fs, { statfsSync: (() => ({ bavail: bytes, bsize: 1 })) as unknown as typeof fs.statfsSync }, () =>
      workspace.copy(source, destination),
    );
  for (const source of ['f', 'dir']) {
    const failure = await failureOf(() => copyWith(7, source, 'new/copy'));
    expect([failure.code, failure.message, (failure.cause as NodeJS.ErrnoException).code]).toEqual([
      'io',
      'Cannot copy: the disk has 7 bytes left, and this needs 8',
      'ENOSPC',
    ]);
    expect(existsSync(at('new'))).toBe(false);
    await copyWith(8, source, `fits-${source}`);
  }
  truncateSync(at('f'), 1_000_000);
  const blocks = statSync(at('f')).blocks * 512;
  expect((await copyWith(blocks, 'f', 'sparse')).bytes).toBe(1_000_000);
  expect((await failureOf(() => copyWith(blocks - 1, 'f', 'sparse2'))).message).toBe(
    `Cannot copy: the disk has ${blocks - 1} bytes left, and this needs ${blocks}`,
  );
});
