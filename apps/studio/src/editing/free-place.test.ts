import { expect, it } from 'vitest';
import { freePlace } from './free-place.ts';

const size = { width: 100, height: 50 };
const box = { x: 0, y: 0, ...size };
const place = (x: number, y: number, ...others: (typeof box)[]) => freePlace({ x, y }, size, others);

it('stays where nothing is covered', () => {
  expect(place(5, 5)).toEqual({ x: 5, y: 5 });
  expect([place(128, 0, box), place(-128, 0, box)]).toEqual([
    { x: 128, y: 0 },
    { x: -128, y: 0 },
  ]);
  expect([place(0, 64, box), place(0, -64, box)]).toEqual([
    { x: 0, y: 64 },
    { x: 0, y: -64 },
  ]);
});

it('goes below what it would cover or nearly touch, and below what is there', () => {
  const below = { x: 127, y: 78 };
  expect(place(127, 0, box)).toEqual(below);
  expect(place(-127, 0, box)).toEqual({ x: -127, y: 78 });
  expect(place(0, 63, box)).toEqual({ x: 0, y: 78 });
  expect(place(0, -63, box)).toEqual({ x: 0, y: 78 });
  expect(place(20, 20, box, { ...box, y: 90 })).toEqual({ x: 20, y: 168 });
});

it('goes to the right of what it would cover, at its height', () => {
  const right = (x: number, y: number, ...others: (typeof box)[]) => freePlace({ x, y }, size, others, 'right');
  expect(right(20, 20, box)).toEqual({ x: 172, y: 0 });
  expect(right(20, 20, box, { ...box, x: 190 })).toEqual({ x: 362, y: 0 });
  expect(right(128, 0, box)).toEqual({ x: 128, y: 0 });
});
