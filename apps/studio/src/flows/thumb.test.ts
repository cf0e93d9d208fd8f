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

const rounded = (nodes: Parameters<typeof thumbOf>[0]['nodes']) =>
  thumbOf({ nodes, edges: [] })
    ?.viewBox.split(' ')
    .map((each) => Math.round(Number(each)));

it('has the shape of a picture around the boxes, and no large boxes', () => {
  expect(rounded([node('a', 0, 0), node('b', 600, 0), node('c', 600, 350)])).toEqual([-60, -92, 1_040, 715]);
  expect(rounded([node('a', 10, 20)])).toEqual([-310, -220, 960, 660]);
  expect(rounded([node('a', 0, 0), node('b', 0, 2_000)])).toEqual([-1_513, -60, 3_345, 2_300]);
});

it('draws lines from the right of a box to the left of another', () => {
  const edges = [edgeOf('a', 'b'), edgeOf('gone', 'a'), edgeOf('a', 'gone'), edgeOf('b', 'a')];
  expect(thumbOf({ nodes: [node('a', 0, 0), node('b', 600, 50)], edges })).toMatchObject({
    width: 320,
    height: 180,
    boxes: [
      { id: 'a', x: 0, y: 0 },
      { id: 'b', x: 600, y: 50 },
    ],
    wires: 'M320 90L600 140M920 140L0 90',
  });
  const many = Array.from({ length: 401 }, () => edgeOf('a', 'a'));
  expect(thumbOf({ nodes: [node('a', 0, 0)], edges: many })?.wires.match(/M/g)).toHaveLength(400);
});
