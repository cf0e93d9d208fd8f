import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { expect, it } from 'vitest';
import { entityTag, readRange } from './byte-range.ts';

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-100', { start: 2, end: 9 }],
  ['Bytes = 2 - 3', { start: 2, end: 3 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=5-5', { start: 5, end: 5 }],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-10', { start: 0, end: 9 }],
  ['bytes=-1', { start: 9, end: 9 }],
  [' bytes=0-1', undefined],
  ['bytes=0-1 x', undefined],
  ['', undefined],
  ['bytes=9-', { start: 9, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-100', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=0-1', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-12345678901234567', undefined],
  [undefined, undefined],
])('the header %j of a file of ten bytes asks for %j', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

it('nothing of an empty file can be sent in parts', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-1', 0), readRange(undefined, 0)]).toEqual([
    'unsatisfiable',
    'unsatisfiable',
    undefined,
  ]);
});

it('names a state of a file by all that a change leaves behind, and shows none of it', () => {
  const stat = { ino: 17, size: 4_711, mtimeMs: 1.5, ctimeMs: 2.5 } as Stats;
  const tag = entityTag(stat);
  expect(tag).toBe(`"${createHash('sha256').update('17 4711 1.5 2.5').digest('base64url').slice(0, 22)}"`);
  expect(entityTag({ ...stat } as Stats)).toBe(tag);
  for (const more of [{ ino: 18 }, { size: 4_712 }, { mtimeMs: 1.6 }, { ctimeMs: 2.6 }])
    expect(entityTag({ ...stat, ...more } as Stats)).not.toBe(tag);
  expect(tag).not.toContain('4711');
});
