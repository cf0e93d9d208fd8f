import { applyEdits, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { toCanvas } from '../canvas/graph.ts';
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
