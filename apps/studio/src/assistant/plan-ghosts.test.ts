import { landEdit } from '@croft/assistant/events';
import { applyEdit, createRegistry, type Descriptor, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { GHOST, ghostsOf } from './plan-ghosts.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';

const make = (type: string, label: string) => ({
  descriptor: { type, label, description: '', category: 'x', effects: ['none'], fields: [], outputs: [] } as Descriptor,
});
const registry = createRegistry([make('Step', 'A step'), make('Text', 'A text')]);
const node = (id: string, type: string, x: number, name?: string): FlowNode => ({
  id,
  type,
  position: { x, y: 100 },
  values: {},
  ...(name !== undefined && { name }),
});
const PLAN: FlowDocument = {
  ...emptyFlow('Plan'),
  nodes: [node('I', 'Text', 0), node('P', 'Step', 600, 'Mine'), node('O', 'Unheard', 1200)],
  edges: [edgeOf('I', 'P'), edgeOf('P', 'O')],
};

it('draws the components and connections of a plan on an empty canvas', () => {
  const { boxes, wires } = ghostsOf(PLAN, emptyFlow(), registry);
  expect(boxes.map(({ title }) => title)).toEqual(['A text', 'Mine', 'Unheard']);
  expect(wires.match(/M/g)).toHaveLength(2);
  expect(GHOST).toEqual({ width: 248, height: 72 });
});

it('draws them where Add puts them, and nothing of the canvas, which it does not change', () => {
  const canvas = { ...emptyFlow(), nodes: [node('X', 'Text', 0), node('Y', 'Step', 500)], edges: [edgeOf('X', 'Y')] };
  const before = JSON.stringify(canvas);
  const { boxes, wires } = ghostsOf(PLAN, canvas, registry);
  expect(JSON.stringify(canvas)).toBe(before);
  expect(boxes).toHaveLength(3);
  expect(wires.match(/M/g)).toHaveLength(2);
  for (const { x } of boxes) expect(x).toBeGreaterThan(500);
  const added = applyEdit(canvas, landEdit(canvas, PLAN, 'add')).flow.nodes.slice(2);
  expect(boxes.map(({ x, y }) => ({ x, y }))).toEqual(added.map(({ position }) => position));
});
