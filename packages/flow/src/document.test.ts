import { describe, expect, it } from 'vitest';
import {
  contentOf,
  contentSchema,
  edgeKey,
  emptyFlow,
  nodeSchema,
  nodesById,
  runOptionsSchema,
  sameEdge,
} from './document.ts';

const node = { id: 'A-1', type: 'A', position: { x: 0, y: 0 }, values: {} };
const edge = (from: string, out: string, to: string, into: string) => ({
  from: { node: from, port: out },
  to: { node: to, port: into },
});
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('a node', () => {
  it.each([
    {},
    { name: 'N', selectedOutput: 'out', toolMode: true, connectedFields: ['f'], pinned: { out: 1 } },
    { run: { retry: { attempts: 10, delayMs: 600_000 }, timeoutMs: 1, onError: 'port', frozen: true } },
    { code: 'x'.repeat(1024 * 1024), original: { any: [1] } },
  ])('may have %j', (more) => {
    expect(accepts(nodeSchema, { ...node, ...more })).toBe(true);
  });

  it.each([
    { id: '' },
    { id: 'a\0' },
    { id: '__proto__' },
    { id: 'x'.repeat(201) },
    { name: 'a\0b' },
    { position: { x: 0 } },
    { values: { a: undefined, b: new Date() } },
    { unknown: 1 },
    { code: 'x'.repeat(1024 * 1024 + 1) },
  ])('may not have %j', (more) => {
    expect(accepts(nodeSchema, { ...node, ...more })).toBe(false);
  });
});

it('says why a name is not valid', () => {
  const faultsOf = (more: object) =>
    nodeSchema.safeParse({ ...node, ...more }).error?.issues.map(({ path, message }) => [path.join('.'), message]);
  expect([faultsOf({ id: '__proto__' }), faultsOf({ name: 'a\0' })]).toEqual([
    [['id', "must not be '__proto__'"]],
    [['name', 'must not contain a NUL character']],
  ]);
});

it('has from 1 to 10 attempts', () => {
  const retries = [
    { attempts: 1, delayMs: 0 },
    { attempts: 10, delayMs: 600_000 },
  ];
  expect(retries.map((retry) => accepts(runOptionsSchema, { retry }))).toEqual([true, true]);
});

it.each([
  { attempts: 0, delayMs: 0 },
  { attempts: 11, delayMs: 0 },
  { attempts: 1, delayMs: -1 },
  { attempts: 1, delayMs: 600_001 },
])('has bounded attempts: %j', (retry) => {
  expect(accepts(runOptionsSchema, { retry })).toBe(false);
});

it('has bounded times, and knows what an error may do', () => {
  const options = [
    { timeoutMs: 0 },
    { timeoutMs: 86_400_001 },
    { onError: 'ignore' },
    { timeoutMs: 86_400_000, onError: 'stop' },
  ];
  expect(options.map((each) => accepts(runOptionsSchema, each))).toEqual([false, false, false, true]);
});

describe('a flow', () => {
  it('without nodes is valid, and its content has no version', () => {
    const flow = emptyFlow('N');
    const content = contentOf(flow);
    expect(flow).toEqual({
      version: 1,
      name: 'N',
      description: '',
      nodes: [],
      edges: [],
      notes: [],
      groups: [],
      viewport: { x: 0, y: 0, zoom: 1 },
    });
    expect({ version: 1, ...content }).toEqual(flow);
    expect([accepts(contentSchema, content), 'version' in content]).toEqual([true, false]);
    expect(emptyFlow().name).toBe('Untitled flow');
    expect(emptyFlow().nodes).not.toBe(emptyFlow().nodes);
  });

  const FULL = {
    name: 'N',
    description: 'D',
    nodes: [node],
    edges: [edge('A-1', 'out', 'B', 'in')],
    notes: [{ id: 'n', position: { x: 1, y: 2 }, size: { width: 3, height: 4 }, text: 'T', color: 'red' }],
    groups: [{ id: 'g', name: 'G', nodes: ['A-1'] }],
    viewport: { x: 0, y: 0, zoom: 1 },
  };

  it('has its parts as they are', () => {
    expect(contentSchema.parse(FULL)).toEqual(FULL);
  });

  it.each([
    { name: 'x'.repeat(201) },
    { description: 'x'.repeat(10_001) },
    { viewport: { x: 0, y: 0, zoom: 0 } },
    { viewport: { x: 0, y: 0 } },
    { viewport: { x: 'a', y: 0, zoom: 1 } },
    { edges: [{ from: { node: 'A' }, to: { node: 'B', port: 'in' } }] },
    { edges: [{ from: { node: 'A', port: 'out' } }] },
    { edges: [{ ...edge('A', 'out', 'B', 'in'), more: 1 }] },
    { notes: [{ ...FULL.notes[0], size: { width: 3 } }] },
    { notes: [{ ...FULL.notes[0], color: 'x'.repeat(41) }] },
    { notes: [{ ...FULL.notes[0], text: 7 }] },
    { groups: [{ id: 'g', nodes: [] }] },
    { groups: [{ id: 'g', name: 'G', nodes: [''] }] },
    { groups: [{ name: 'G', nodes: [] }] },
    { version: 1 },
  ])('may not have %j', (more) => {
    expect(accepts(contentSchema, { ...FULL, ...more })).toBe(false);
  });

  it('may have texts of these lengths', () => {
    const most = { name: 'x'.repeat(200), description: 'x'.repeat(10_000) };
    expect(accepts(contentSchema, { ...FULL, ...most, notes: [{ ...FULL.notes[0], color: 'x'.repeat(40) }] })).toBe(
      true,
    );
  });

  it('has its nodes by their ids', () => {
    expect(nodesById({ nodes: [node, { ...node, id: 'B' }] }).get('B')?.id).toBe('B');
  });

  it('tells edges apart by all four of their ends', () => {
    const one = edge('A', 'o', 'B', 'i');
    const others = [
      edge('X', 'o', 'B', 'i'),
      edge('A', 'x', 'B', 'i'),
      edge('A', 'o', 'X', 'i'),
      edge('A', 'o', 'B', 'x'),
    ];
    expect(sameEdge(one, edge('A', 'o', 'B', 'i'))).toBe(true);
    expect(others.some((other) => sameEdge(one, other))).toBe(false);
    expect(new Set([one, ...others].map(edgeKey)).size).toBe(5);
    expect(edgeKey(edge('a"', 'b', 'c', 'd'))).not.toBe(edgeKey(edge('a', '"b', 'c', 'd')));
  });
});
