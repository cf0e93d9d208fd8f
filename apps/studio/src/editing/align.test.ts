import { describe, expect, it } from 'vitest';
import { align, type Box, distribute } from './align.ts';

const boxes = new Map<string, Box>([
  ['a', { x: 0, y: 0, width: 100, height: 50 }],
  ['b', { x: 40, y: 100, width: 50, height: 100 }],
  ['c', { x: 300, y: 210, width: 100, height: 40 }],
]);

describe('aligned boxes', () => {
  it.each([
    ['left', 'x', { b: 0, c: 0 }],
    ['center', 'x', { a: 150, b: 175, c: 150 }],
    ['right', 'x', { a: 300, b: 350 }],
    ['top', 'y', { b: 0, c: 0 }],
    ['middle', 'y', { a: 100, b: 75, c: 105 }],
    ['bottom', 'y', { a: 200, b: 150 }],
  ] as const)('have the same %s, and keep their place on the other axis', (how, axis, places) => {
    const moved = align(boxes, how);
    expect(Object.fromEntries(Object.entries(moved).map(([id, place]) => [id, place[axis]]))).toEqual(places);
    const other = axis === 'x' ? 'y' : 'x';
    for (const [id, place] of Object.entries(moved)) expect(place[other]).toBe(boxes.get(id)?.[other]);
  });

  it('do not move again', () => {
    const moved = align(boxes, 'left');
    const placed = new Map([...boxes].map(([id, box]) => [id, { ...box, ...moved[id] }]));
    expect(align(placed, 'left')).toEqual({});
  });
});

describe('distributed boxes', () => {
  it('have equal gaps between the first and the last one', () => {
    expect(distribute(boxes, 'x')).toEqual({ b: { x: 175, y: 100 } });
    expect(distribute(boxes, 'y')).toEqual({ b: { x: 40, y: 80 } });
  });

  it('are at least three', () => {
    expect(distribute(new Map([...boxes].slice(1)), 'x')).toEqual({});
  });
});

it('moves nothing by less than a pixel, and sorts boxes by their places', () => {
  const near = new Map<string, Box>([
    ['a', { x: 0.4, y: 0, width: 10, height: 10 }],
    ['b', { x: 0, y: 50, width: 10, height: 10 }],
  ]);
  expect(align(near, 'left')).toEqual({});
  expect(distribute(new Map([...boxes].reverse()), 'x')).toEqual({ b: { x: 175, y: 100 } });
  const four = new Map<string, Box>([
    ['a', { x: 0, y: 0, width: 10, height: 10 }],
    ['b', { x: 12, y: 0, width: 30, height: 10 }],
    ['c', { x: 50, y: 0, width: 10, height: 10 }],
    ['d', { x: 100, y: 0, width: 10, height: 10 }],
  ]);
  expect(distribute(four, 'x')).toEqual({ b: { x: 27, y: 0 }, c: { x: 73, y: 0 } });
  expect([distribute(new Map(), 'y'), distribute(four, 'y')]).toEqual([{}, {}]);
});
