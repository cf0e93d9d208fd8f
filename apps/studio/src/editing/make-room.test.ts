import { applyEdits, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { toCanvas, toDocument } from '../canvas/graph.ts';
import { makeRoom, NEW_SIZE } from './make-room.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';

const at = (id: string, x: number, y = 0) => ({ id, type: 'T', position: { x, y }, values: {} });
const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [at('a', 0), at('b', 600), at('c', 1_200), at('beside', 600, 300)],
  edges: [edgeOf('a', 'b'), edgeOf('b', 'c'), edgeOf('a', 'beside')],
};
const boxes = ({ nodes }: FlowDocument) =>
  new Map(nodes.map(({ id, position }) => [id, { ...toCanvas(position), width: 248, height: 100 }]));
const between = (document: FlowDocument) => makeRoom(document, edgeOf('a', 'b'), boxes(document));

it('moves what follows an inserted component to the right, and nothing else', () => {
  const { at: place, positions } = between(flow) ?? { at: { x: 0, y: 0 }, positions: {} };
  expect(Object.keys(positions)).toEqual(['b', 'c']);
  const after = applyEdits(flow, [{ kind: 'move', positions }]).flow;
  const [left, right] = [boxes(after).get('a'), boxes(after).get('b')];
  expect(place.x).toBeGreaterThan((left?.x ?? 0) + 248);
  expect(place.x + NEW_SIZE.width).toBeLessThan(right?.x ?? 0);
  // There is room now.
  expect(between(after)).toBeUndefined();
});

it('leaves components as they are that lead back to the first one, or are not side by side', () => {
  expect(between({ ...flow, edges: [...flow.edges, edgeOf('c', 'a')] })).toBeUndefined();
  expect(between({ ...flow, nodes: [at('a', 400), at('b', 0)] })).toBeUndefined();
});

it('gives a new component 72 pixels on both sides', () => {
  const by = toDocument({ x: 248 + 248 + 144 - 324 + 1, y: 0 }).x;
  expect(between(flow)).toEqual({
    at: { x: 320, y: 0 },
    positions: { b: { x: 600 + by, y: 0 }, c: { x: 1_200 + by, y: 0 } },
  });
  expect(NEW_SIZE).toEqual({ width: 248, height: 150 });
});

it('moves nothing where a new component fits, or one of the two is not drawn', () => {
  const box = (x: number) => ({ x, y: 0, width: 100, height: 50 });
  const edge = edgeOf('a', 'b');
  const at72 = (x: number) =>
    makeRoom(
      flow,
      edge,
      new Map([
        ['a', box(0)],
        ['b', box(x)],
      ]),
    ) !== undefined;
  expect([at72(99), at72(100), at72(491), at72(492)]).toEqual([false, true, true, false]);
  expect(makeRoom(flow, edge, new Map([['a', box(0)]]))).toBeUndefined();
  expect(makeRoom(flow, edge, undefined)).toBeUndefined();
  expect(makeRoom(flow, { from: edge.from }, boxes(flow))).toBeUndefined();
  expect(makeRoom(flow, { to: edge.to }, boxes(flow))).toBeUndefined();
});
