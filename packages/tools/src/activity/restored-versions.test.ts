import { expect, it } from 'vitest';
import type { ActivityEntry } from './activity-entry.ts';
import { restoredVersions } from './restored-versions.ts';

const entryWith = (aliases: ActivityEntry['aliases']): ActivityEntry => ({ aliases }) as ActivityEntry;

it('follows the copies of a file, also where a copy has the version of an older one', () => {
  const versions = restoredVersions([entryWith({ a: 'b' }), entryWith({ b: 'a', x: 'y' }), entryWith(undefined)]);
  expect(['a', 'b', 'x', 'other'].map((version) => versions.latest(version))).toEqual(['a', 'a', 'y', 'other']);
  versions.add('a', 'c');
  expect(['a', 'b', 'c'].map((version) => versions.latest(version))).toEqual(['c', 'c', 'c']);
});

it('ends at a version that is a copy of itself', () => {
  const versions = restoredVersions([]);
  versions.add('a', 'a');
  expect(versions.latest('a')).toBe('a');
  versions.add('a', 'b');
  expect([versions.latest('a'), versions.latest('b')]).toEqual(['b', 'b']);
});
