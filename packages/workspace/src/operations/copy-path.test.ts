import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('copies a file to a file of its own, making the directories above it', async () => {
  const { workspace, at } = open(['f = one']);
  expect(await workspace.copy('f', 'new/g')).toMatchObject({ files: 1, bytes: 3, skipped: 0 });
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
