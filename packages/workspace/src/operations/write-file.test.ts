import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { atPlace } from './write-file.ts';

const open = useWorkspaces();
const enclose = useEnclosures();

it('creates a file with the directories that it needs, and replaces it', () => {
  const { workspace, at } = open();
  expect(workspace.write('a/b/f.txt', 'one')).toMatchObject({ status: 'created', bytesWritten: 3 });
  expect(workspace.write('a/b/f.txt', 'zwölf')).toMatchObject({ status: 'updated', bytesWritten: 6 });
  expect(readFileSync(at('a/b/f.txt'), 'utf8')).toBe('zwölf');
  expect(readdirSync(at('a/b'))).toEqual(['f.txt']);
});

it('keeps the mode of the file that it replaces', () => {
  const { workspace, at } = open(['run.sh = one']);
  const { mode } = statSync(at('run.sh'));
  workspace.write('run.sh', 'two');
  expect(statSync(at('run.sh')).mode).toBe(mode);
});

it('refuses a directory, a link to the outside, and a file with a second name, and changes none of them', async () => {
  const { workspace, scratch, at } = open(['dir/x', 'out => $OUT/secret.txt', 'twin == $OUT/secret.txt']);
  expect((await failureOf(() => workspace.write('dir', 'x'))).code).toBe('is_directory');
  expect((await failureOf(() => workspace.write('out', 'x'))).code).toMatch(/outside/);
  expect((await failureOf(() => workspace.write('twin', 'x'))).code).toBe('hard_linked');
  expect(readFileSync(`${scratch.outside}/secret.txt`, 'utf8')).toBe('SECRET');
  expect(readFileSync(at('dir/x'), 'utf8')).toBe('dir/x');
});

it('writes only the version that the caller has seen', async () => {
  const { workspace, at } = open(['f = one']);
  const { version } = workspace.write('f', 'two');
  workspace.write('f', 'three', { expectedVersion: version });
  const error = await failureOf(() => workspace.write('f', 'four', { expectedVersion: version }));
  expect(error.code).toBe('changed');
  expect(error.extra).toMatchObject({ expected_version: version });
  expect((await failureOf(() => workspace.write('f', 'five', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect((await failureOf(() => workspace.write('g', 'six', { expectedVersion: version }))).code).toBe('changed');
  expect(readFileSync(at('f'), 'utf8')).toBe('three');
  expect(existsSync(at('g'))).toBe(false);
});

it('refuses content above the limit, and makes no directory for it', async () => {
  const { workspace, at } = open([], { limits: { maxFileBytes: 3 } });
  workspace.write('f', 'abc');
  const { code, message } = await failureOf(() => workspace.write('new/f', 'abcd'));
  expect([code, message]).toEqual(['too_large', 'Content size 4 exceeds limit of 3 bytes']);
  expect(existsSync(at('new'))).toBe(false);
});

it('removes the directories that it made if the write is refused', async () => {
  const { workspace, at } = open(['old/f'], { quota: { maxFiles: 1 } });
  expect((await failureOf(() => workspace.write('new/deep/f', 'x'))).code).toBe('quota');
  expect(existsSync(at('new'))).toBe(false);
});

it('removes the directories that it made if an act on the place fails', () => {
  const { enclosure, at } = enclose(['d/']);
  const fail = () => {
    throw new Error('failed');
  };
  expect(() => atPlace(enclosure, 'd/new/f', fail)).toThrow('failed');
  expect(readdirSync(at('d'))).toEqual([]);
});

it('writes nothing in a read-only workspace', async () => {
  const { workspace, at } = open(['f = one'], { readOnly: true });
  expect((await failureOf(() => workspace.write('f', 'two'))).code).toBe('read_only');
  expect(readFileSync(at('f'), 'utf8')).toBe('one');
});
