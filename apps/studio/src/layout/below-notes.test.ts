import { expect, it } from 'vitest';
import { belowNotes } from './below-notes.ts';

const box = (x: number, y: number) => ({ x, y, width: 100, height: 50 });

it('leaves components that cover no note', () => {
  const notes = [box(100, 0), box(-100, 0), box(0, 50), box(0, -50)];
  expect([belowNotes([box(0, 0)], notes), belowNotes([box(0, 0)], []), belowNotes([], notes)]).toEqual([0, 0, 0]);
});

it('moves all components below the lowest note that one of them covers', () => {
  expect(belowNotes([box(0, 0), box(200, 0)], [box(99, -10), box(0, 10)])).toBe(100);
  expect(belowNotes([box(0, 0)], [{ ...box(0, -49.5), width: 1 }])).toBe(41);
});

it('moves them further where they would cover another note there', () => {
  const notes = [box(0, 0), box(0, 100), box(0, 1_000)];
  expect(belowNotes([box(0, 0)], notes)).toBe(190);
});
