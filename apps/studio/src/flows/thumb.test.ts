import { expect, it } from 'vitest';
import { thumbOf } from './thumb.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';

const node = (id: string, x: number, y: number) => ({ id, type: 'T', position: { x, y }, values: {} });

it('draws every component inside of the picture, and every connection between two of them', () => {
  const thumb = thumbOf({
    nodes: [node('a', 0, 0), node('b', 600, 0), node('c', 600, 350)],
    edges: [edgeOf('a', 'b'), edgeOf('a', 'c'), edgeOf('a', 'gone')],
  });
  const [x = 0, y = 0, width = 0, height = 0] = thumb?.viewBox.split(' ').map(Number) ?? [];
  for (const box of thumb?.boxes ?? []) {
    expect(box.x >= x && box.x + 320 <= x + width).toBe(true);
    expect(box.y >= y && box.y + 180 <= y + height).toBe(true);
  }
  expect(thumb?.boxes).toHaveLength(3);
  expect(thumb?.wires.match(/M/g)).toHaveLength(2);
});

it('draws nothing for a flow without components, and a part of a large one', () => {
  expect(thumbOf({ nodes: [], edges: [] })).toBeUndefined();
  const nodes = Array.from({ length: 1_000 }, (_, at) => node(`n${at}`, at, at));
  expect(thumbOf({ nodes, edges: [] })?.boxes).toHaveLength(200);
});
