import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { type MadeDir, removeMade } from './made-dirs.ts';
import { openRoot, type Root } from './root.ts';

let scratch: Scratch;
let root: Root;
beforeEach(() => {
  scratch = makeScratch(['a/b/c/'], ['b/']);
  root = openRoot(scratch.workspace);
});
afterEach(() => {
  root.close();
  scratch.remove();
});

const at = (path: string) => join(scratch.workspace, path);
/** The directory as the call that made it recorded it. */
function made(path: string): MadeDir {
  const { dev, ino } = lstatSync(at(path));
  return { parts: path.split('/'), dev, ino };
}

it('removes the directories of a call from the innermost on, and no other', () => {
  removeMade(root, [made('a/b'), made('a/b/c')]);
  expect([existsSync(at('a')), existsSync(at('a/b'))]).toEqual([true, false]);
});

it('leaves a directory that has content by now, with the ones around it', () => {
  const dirs = [made('a'), made('a/b'), made('a/b/c')];
  writeFileSync(at('a/b/f'), 'of another program');
  removeMade(root, dirs);
  expect([existsSync(at('a/b/f')), existsSync(at('a/b/c'))]).toEqual([true, false]);
});

it('leaves another directory that has the name by now', () => {
  const dirs = [made('a/b/c')];
  mkdirSync(at('other'));
  rmdirSync(at('a/b/c'));
  renameSync(at('other'), at('a/b/c'));
  removeMade(root, dirs);
  expect(existsSync(at('a/b/c'))).toBe(true);
});

it('enters no link on the way', () => {
  const record = { ...made('a/b/c'), parts: ['a', 'b'] };
  const { dev, ino } = lstatSync(join(scratch.outside, 'b'));
  renameSync(at('a'), at('kept'));
  symlinkSync(scratch.outside, at('a'));
  removeMade(root, [{ ...record, dev, ino }]);
  expect(existsSync(join(scratch.outside, 'b'))).toBe(true);
});
