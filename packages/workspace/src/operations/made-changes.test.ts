import { expect, it } from 'vitest';
import { openAmbientRoot } from '../enclosure.ts';
import { locate } from '../resolve/locate.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { madeChanges } from './made-changes.ts';

const open = useEnclosures();

it('lists the parents that a call made, outermost first, by their real paths', () => {
  const { enclosure } = open(['there/', 'link => there']);
  const found = locate(enclosure, 'link/a/b/file', { makeParents: true });
  found.close();
  expect(madeChanges(enclosure, found)).toEqual([
    { kind: 'mkdir', path: 'there/a' },
    { kind: 'mkdir', path: 'there/a/b' },
  ]);
});

it('lists nothing where the parents existed', () => {
  const { enclosure } = open(['there/']);
  const found = locate(enclosure, 'there/file', { makeParents: true });
  found.close();
  expect(madeChanges(enclosure, found)).toEqual([]);
});

it('names a parent outside the workspace by its absolute path, where the boundary is lifted', () => {
  const { enclosure, scratch } = open([], () => ({ ambient: openAmbientRoot() }));
  const found = locate(enclosure, `${scratch.outside}/new/file`, { makeParents: true });
  found.close();
  expect(madeChanges(enclosure, found)).toEqual([{ kind: 'mkdir', path: `${scratch.outside}/new` }]);
});
