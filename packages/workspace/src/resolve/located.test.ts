import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkPath } from '../enclosure.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { openDir } from './dir.ts';
import { closeAll, located, NothingThere } from './located.ts';

const open = useEnclosures();

it('holds the directory of the name until it is closed, and none of the others', () => {
  const { enclosure, at } = open(['a/b/f']);
  const { root } = enclosure;
  const [outer, inner] = [openDir(at('a'), 'descriptor'), openDir(at('a/b'), 'descriptor')];
  const place = located(checkPath(enclosure, 'a/b/f'), inner, 'f', ['a', 'b', 'f'], undefined, [outer, inner]);
  expect([outer, inner].map(({ self }) => existsSync(self))).toEqual([false, true]);
  expect([place.at, existsSync(place.at)]).toEqual([inner.at('f'), true]);
  place.close();
  expect(existsSync(inner.self)).toBe(false);
  // The root is not held by the place.
  const top = located(checkPath(enclosure, ''), root.dir, '.', [], undefined, []);
  top.close();
  expect([top.at, existsSync(root.dir.self)]).toEqual([`${root.dir.self}/.`, true]);
});

it('removes the parents made on the way', () => {
  const { enclosure, at } = open(['new/']);
  const { dir } = enclosure.root;
  const fd = openDir(at('new'), 'descriptor');
  const identity = { parts: ['new'], dev: 0, ino: 0 };
  const place = (made: typeof identity) =>
    located(checkPath(enclosure, 'new/f'), dir, 'f', ['new', 'f'], undefined, [], [made]);
  place(identity).unmake();
  expect(existsSync(at('new'))).toBe(true);
  closeAll([fd]);
  expect(existsSync(fd.self)).toBe(false);
});

it('says which file is missing, as the caller wrote it', () => {
  const { enclosure } = open();
  const nothing = new NothingThere(checkPath(enclosure, './no/such'), ['no', 'such']);
  const { code, message } = nothing.refusal();
  expect([code, message, nothing.parts]).toEqual(['not_found', 'File not found: ./no/such', ['no', 'such']]);
});
