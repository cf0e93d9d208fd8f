import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('moves a file and a directory to new names, making the directories above them', () => {
  const { workspace, at } = open(['f = one', 'dir/a = two']);
  workspace.move('f', 'new/place/g');
  workspace.move('dir', 'other');
  expect(readFileSync(at('new/place/g'), 'utf8')).toBe('one');
  expect(readFileSync(at('other/a'), 'utf8')).toBe('two');
  expect([existsSync(at('f')), existsSync(at('dir'))]).toEqual([false, false]);
});

it('moves a link itself, and not the file that it leads to', () => {
  const { workspace, scratch, at } = open(['l => $OUT/secret.txt']);
  workspace.move('l', 'm');
  expect(readlinkSync(at('m'))).toBe(`${scratch.outside}/secret.txt`);
  expect(readFileSync(`${scratch.outside}/secret.txt`, 'utf8')).toBe('SECRET');
});

it('never replaces what the destination has: a file, a directory or a link to nothing', async () => {
  const { workspace, at } = open(['f = one', 'file = kept', 'dir/', 'dangling => nowhere']);
  for (const taken of ['file', 'dir', 'dangling', '.'])
    expect((await failureOf(() => workspace.move('f', taken))).code, taken).toBe('exists');
  expect(readFileSync(at('file'), 'utf8')).toBe('kept');
  expect(readFileSync(at('f'), 'utf8')).toBe('one');
  expect(lstatSync(at('dangling')).isSymbolicLink()).toBe(true);
});

it('refuses destinations outside of the workspace and inside of the moved directory', async () => {
  const { workspace, scratch, at } = open(['f', 'dir/a', 'out => $OUT']);
  expect((await failureOf(() => workspace.move('f', '../outside/f'))).code).toBe('outside');
  expect((await failureOf(() => workspace.move('f', 'out/f'))).code).toMatch(/outside/);
  expect((await failureOf(() => workspace.move('dir', 'dir/below/x'))).code).toBe('invalid');
  expect(existsSync(`${scratch.outside}/f`)).toBe(false);
  // Nothing is left of the directories that the refused call made.
  expect(existsSync(at('dir/below'))).toBe(false);
});

it('moves only the version that the caller has seen, and not the workspace itself', async () => {
  const { workspace, at } = open(['f = one']);
  expect((await failureOf(() => workspace.move('f', 'g', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect((await failureOf(() => workspace.move('.', 'g'))).code).toBe('invalid');
  expect((await failureOf(() => workspace.move('missing', 'g'))).code).toBe('not_found');
  expect(existsSync(at('g'))).toBe(false);
});
