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

describe('the parts of a component that differ', () => {
  const other: Descriptor = { ...call, type: 'Other', label: 'Other one' };
  const known = createRegistry([{ descriptor: call }, { descriptor: other }]);
  const partsOf = (old: object, next: object) =>
    diffFlows(flow({ nodes: [{ ...at('a'), ...old }] }), flow({ nodes: [{ ...at('a'), ...next }] }), known).items[0]
      ?.parts;

  it.each([
    [{}, { type: 'Other' }, { label: 'Component', before: 'Call', after: 'Other one' }],
    [{}, { type: 'Gone' }, { label: 'Component', before: 'Call', after: 'Gone' }],
    [{ name: 'A' }, { name: 'B' }, { label: 'Name', before: 'A', after: 'B' }],
    [{ code: 'x' }, { code: 'y' }, { label: 'Code', before: 'x', after: 'y' }],
    [{ selectedOutput: 'o' }, {}, { label: 'Output', before: 'o', after: '' }],
    [{}, { toolMode: true }, { label: 'Use as a tool', before: 'Off', after: 'On' }],
    [{}, { connectedFields: ['a', 'b'] }, { label: 'Fields with a connection', before: '', after: 'a, b' }],
    [{}, { run: { frozen: true } }, { label: 'Run options', before: '', after: '{\n  "frozen": true\n}' }],
    [{}, { pinned: { out: 1 } }, { label: 'Fixed outputs', before: '', after: '{\n  "out": 1\n}' }],
    [{}, { values: { more: [1] } }, { label: 'more', before: '', after: '[\n  1\n]' }],
    [{ values: { key: 'A' } }, { values: {} }, { label: 'Key', before: 'Set', after: '' }],
  ])('of %j and %j', (old, next, part) => {
    expect(partsOf(old, next)).toEqual([part]);
  });

  it('have at most 20 000 characters of a text, and the order of the fields', () => {
    const parts = partsOf({}, { values: { more: 1, limit: 7, text: 'x'.repeat(20_001) } });
    expect(parts?.map(({ label, after }) => [label, after.length])).toEqual([
      ['Text (beginning of the change)', 20_001],
      ['Limit', 1],
      ['more', 1],
    ]);
    expect(parts?.[0]?.after.endsWith('x…')).toBe(true);
    expect(partsOf({}, { values: { text: 'x'.repeat(20_000) } })?.[0]?.after).toBe('x'.repeat(20_000));
  });

  it('have a change far from the start of a long text', () => {
    const code = (line: string) => `${'a\n'.repeat(15_000)}${line}\n${'b\n'.repeat(15_000)}`;
    const [part] = partsOf({ code: code('safe()') }, { code: code('steal()') }) ?? [];
    expect(part).toMatchObject({ label: 'Code', before: expect.stringContaining('safe()') });
    expect(changedLines(part?.before ?? '', part?.after ?? '').map(({ sign, text }) => `${sign}${text}`)).toEqual([
      ' a',
      '−safe()',
      '+steal()',
      ' b',
    ]);
    expect(part?.after.length).toBeLessThan(500);
  });

  it('count a component that only moved as moved', () => {
    const moves = [
      { x: 1, y: 0 },
      { x: 0, y: 1 },
      { x: 0, y: 0 },
    ].map(
      (position) => diffFlows(flow({ nodes: [at('a')] }), flow({ nodes: [{ ...at('a'), position }] }), known).moved,
    );
    expect(moves).toEqual([1, 1, 0]);
  });
});

it('shows the parts of notes, of groups and of the flow that differ', () => {
  const box = { id: 'n', position: { x: 0, y: 0 }, size: { width: 10.4, height: 10.6 }, text: '\nTitle\nmore' };
  const before = flow({ notes: [box], groups: [{ id: 'g', name: 'G', nodes: ['a'] }] });
  const after = flow({
    description: 'D',
    notes: [{ ...box, text: '', size: { width: 20, height: 10 }, color: 'blue' } as typeof box],
    groups: [
      { id: 'g', name: '', nodes: ['a', 'b'] },
      { id: 'h', name: 'H', nodes: [] },
    ],
  });
  expect(diffFlows(before, after, registry)).toEqual({
    items: [
      {
        id: 'n',
        title: 'Empty note',
        change: 'changed',
        parts: [
          { label: 'Text', before: '\nTitle\nmore', after: '' },
          { label: 'Size', before: '10 × 11', after: '20 × 10' },
          { label: 'Colour', before: '', after: 'blue' },
        ],
      },
    ],
    edges: [],
    details: [
      { label: 'Description of the flow', before: '', after: 'D' },
      { label: 'Groups', before: 'G: 1', after: 'Group: 2, H: 0' },
    ],
    moved: 0,
  });
  expect(diffFlows(after, before, registry).items[0]?.title).toBe('Note “Title”');
  const long = diffFlows(flow({}), flow({ notes: [note('x'.repeat(61))] }), registry).items;
  expect(long).toEqual([{ id: 'n', title: `Note “${'x'.repeat(60)}”`, change: 'added', parts: [] }]);
});

it('draws both versions without groups, and names connections by both ends', () => {
  const before = flow({ nodes: [at('a')], notes: [note('old')], groups: [{ id: 'g', name: 'G', nodes: ['a'] }] });
  const after = flow({ nodes: [at('a', { text: 'new' })], notes: [note('new')] });
  expect(unionOf(before, after)).toEqual({ ...after, groups: [] });
  const [edge] = diffFlows(flow({}), flow({ edges: [edgeOf('x', 'y')] }), registry).edges;
  expect(edge).toEqual({ edge: edgeOf('x', 'y'), change: 'added', title: ' → ' });
});
