import { createRegistry, type Descriptor, emptyFlow, type FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { changedLines } from './changed-lines.ts';
import { diffFlows, unionOf } from './flow-diff.ts';
import { edgeOf } from '../canvas/testing-nodes.ts';

const call: Descriptor = {
  type: 'Call',
  label: 'Call',
  description: '',
  category: 'x',
  effects: ['none'],
  fields: [
    { name: 'text', label: 'Text', kind: 'multiline' },
    { name: 'key', label: 'Key', kind: 'secret' },
    { name: 'limit', label: 'Limit', kind: 'integer', default: 5 },
  ],
  outputs: [],
};
const registry = createRegistry([{ descriptor: call }]);
const at = (id: string, values: Record<string, string | number> = {}, x = 0) => ({
  id,
  type: 'Call',
  position: { x, y: 0 },
  values,
});
const note = (text: string) => ({ id: 'n', position: { x: 0, y: 0 }, size: { width: 10, height: 10 }, text });
const flow = (part: Partial<FlowDocument>): FlowDocument => ({ ...emptyFlow('f'), ...part });

describe('the difference of two versions', () => {
  const before = flow({
    nodes: [at('a', { text: 'one', key: 'KEY_A' }), at('b'), at('c', { limit: 5 })],
    edges: [edgeOf('a', 'b'), edgeOf('b', 'c')],
    notes: [note('hi')],
  });
  const after = flow({
    name: 'g',
    nodes: [{ ...at('a', { text: 'two', key: 'KEY_B', limit: 9 }), name: 'First' }, at('c', {}, 50), at('d')],
    edges: [edgeOf('a', 'c'), edgeOf('a', 'b')].slice(0, 1),
  });

  it('names added, removed and changed components, their fields and connections, and counts moves', () => {
    const { items, edges, details, moved } = diffFlows(before, after, registry);
    expect(items.map(({ id, change }) => `${change} ${id}`)).toEqual([
      'changed a',
      'added d',
      'removed b',
      'removed n',
    ]);
    expect(items[0]?.parts).toEqual([
      { label: 'Name', before: '', after: 'First' },
      { label: 'Text', before: 'one', after: 'two' },
      { label: 'Key', before: 'Set', after: 'Set to another' },
      { label: 'Limit', before: '5', after: '9' },
    ]);
    expect(edges.map(({ change, title }) => `${change} ${title}`)).toEqual([
      'added First → Call',
      'removed First → Call',
      'removed Call → Call',
    ]);
    expect(details).toEqual([{ label: 'Name of the flow', before: 'f', after: 'g' }]);
    // Writing out a default changes nothing.
    expect(moved).toBe(1);
  });

  it('never has the value of a secret', () => {
    expect(JSON.stringify(diffFlows(before, after, registry))).not.toMatch(/KEY_/);
  });

  it('is empty between equal versions', () => {
    expect(diffFlows(before, before, registry)).toEqual({ items: [], edges: [], details: [], moved: 0 });
    expect(diffFlows(before, JSON.parse(JSON.stringify(before)) as FlowDocument, registry).items).toEqual([]);
  });

  it('is drawn with everything that either version has, once', () => {
    const union = unionOf(before, after);
    expect(union.nodes.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect([union.edges.length, union.notes.length]).toEqual([3, 1]);
  });
});

it('shows the lines of a long text that changed, with one around them', () => {
  const text = (middle: string) => `a\nb\n${middle}\nd\ne`;
  expect(changedLines(text('c'), text('x\ny')).map(({ sign, text: line }) => `${sign}${line}`)).toEqual([
    ' b',
    '−c',
    '+x',
    '+y',
    ' d',
  ]);
  expect(changedLines('a\na', 'a\na\na').map(({ sign }) => sign)).toEqual([' ', '+']);
});
