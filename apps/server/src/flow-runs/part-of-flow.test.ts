import type { FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { type RunPart, partOfFlow } from './part-of-flow.ts';

/** A → B → C → D, with E → C beside it, F alone, and a group of B, C and F. */
const EDGES = ['AB', 'BC', 'CD', 'EC'];
const FLOW = {
  nodes: [...'ABCDEF'].map((id) => ({ id })),
  edges: EDGES.map(([from, to]) => ({ from: { node: from }, to: { node: to } })),
  groups: [{ id: 'g', nodes: ['B', 'C', 'F'] }],
} as unknown as FlowDocument;

const part = (of: RunPart) => {
  const { nodes, edges, groups } = partOfFlow(FLOW, of);
  const group = groups[0]?.nodes.join('');
  return `${nodes.map(({ id }) => id).join('')} ${edges.map(({ from, to }) => from.node + to.node).join(',')} ${group}`;
};

describe('the part of a flow that a run needs', () => {
  it('is the whole flow where no component is named', () => {
    expect(partOfFlow(FLOW, {})).toBe(FLOW);
  });

  it('is a component with all that leads to it', () => {
    expect(part({ until: 'C' })).toBe('ABCE AB,BC,EC BC');
    expect(part({ until: 'A' })).toBe('A  ');
    expect(part({ startAt: 'A', until: 'B' })).toBe('AB AB B');
  });

  it('is a component with all that follows, and all that leads to these', () => {
    expect(part({ startAt: 'B' })).toBe('ABCDE AB,BC,CD,EC BC');
    expect(part({ startAt: 'F' })).toBe('F  F');
  });

  it('ends in a circle as well', () => {
    const circle = { ...FLOW, edges: [...FLOW.edges, { from: { node: 'C' }, to: { node: 'A' } }] } as FlowDocument;
    expect(partOfFlow(circle, { startAt: 'A' }).nodes).toHaveLength(5);
  });

  it('does not exist for unknown components, or where one does not lead to the other', () => {
    expect(() => partOfFlow(FLOW, { until: 'X' })).toThrow("until: The flow has no component 'X'.");
    expect(() => partOfFlow(FLOW, { startAt: 'X' })).toThrow("startAt: The flow has no component 'X'.");
    expect(() => partOfFlow(FLOW, { startAt: 'D', until: 'A' })).toThrow("startAt: 'D' does not lead to 'A'.");
  });
});
