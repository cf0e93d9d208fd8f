import { createRegistry, emptyFlow, type FlowDocument, type FlowEdge } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { edgesBetween, newComponent, noEdges, orphansOf, runKeyOf } from './flow-parts.ts';

const registry = createRegistry([
  { descriptor: { type: 'Agent', aliases: ['Bot'], fields: [], outputs: [] } } as never,
]);
const at = (id: string, x: number, y: number) => ({ id, type: 'Agent', position: { x, y }, values: {} });
const flow = (...nodes: ReturnType<typeof at>[]): FlowDocument => ({ ...emptyFlow('F'), nodes });
const edge = (from: string, to: string): FlowEdge => {
  const [[one, out], [other, into]] = [from.split('.'), to.split('.')] as [[string, string], [string, string]];
  return { from: { node: one, port: out }, to: { node: other, port: into } };
};

describe('a new component', () => {
  const place = (of: FlowDocument) => {
    const made = newComponent(of, registry, 'Bot');
    return 'error' in made ? made.error : `${made.type} ${made.position.x},${made.position.y}`;
  };

  it('has the type of the registry, and a place that no component covers', () => {
    expect(place(flow())).toBe('Agent 0,0');
    expect(place(flow(at('a', 0, 0)))).toBe('Agent 0,350');
    expect(place(flow(at('a', 0, 0), at('b', 600, 100)))).toBe('Agent 600,450');
    expect(place(flow(at('a', 0, 0), at('b', 10, 350), at('c', 20, 700)))).toBe('Agent 620,0');
    expect(place(flow(at('a', 0, 900), at('b', 600, 0), at('c', 1, 0)))).toBe('Agent 600,350');
    expect(place(flow(at('a', 0, 0), at('b', 0, 350), at('c', 600, 700)))).toBe('Agent 600,1050');
  });

  it('has an id that no part of the flow has, and is refused for an unknown type', () => {
    expect(newComponent(flow(), registry, 'Bot')).toEqual({
      id: expect.stringMatching(/^Agent-\w+$/),
      type: 'Agent',
      position: { x: 0, y: 0 },
      values: {},
    });
    expect(newComponent(flow(), registry, 'x'.repeat(200))).toEqual({
      error: `Unknown component: ${'x'.repeat(100)}. Call search_components to find the type.`,
      summary: `There is no component of the type “${'x'.repeat(100)}”. The palette of the canvas and \`croft components\` list the types.`,
    });
  });
});

it('finds the connections between two components; an empty port stands for all', () => {
  const edges = [edge('a.x', 'b.y'), edge('a.z', 'b.y'), edge('b.x', 'a.y')];
  const between = (from: string, to: string) =>
    edgesBetween({ edges }, edge(from, to).from, edge(from, to).to).map((each) => edges.indexOf(each));
  expect([between('a.', 'b.'), between('a.x', 'b.'), between('a.', 'b.y'), between('a.x', 'b.z')]).toEqual([
    [0, 1],
    [0],
    [0, 1],
    [],
  ]);
});

it('finds components that no connection touches, unless one is the whole flow', () => {
  const nodes = [at('a', 0, 0), at('b', 0, 0), at('c', 0, 0)];
  expect(orphansOf({ nodes, edges: [edge('a.x', 'b.y')] })).toEqual(['c']);
  expect(orphansOf({ nodes: nodes.slice(0, 1), edges: [] })).toEqual([]);
  expect(orphansOf({ nodes: nodes.slice(0, 2), edges: [] })).toEqual(['a', 'b']);
  expect(noEdges('a', 'b')).toBe("No connections found between 'a' and 'b'");
});

it('tells flows that run alike from others', () => {
  const key = (x: number, values = {}) => runKeyOf({ nodes: [{ ...at('a', x, 0), values }], edges: [] });
  expect(key(1)).toBe(key(2));
  expect(key(1)).not.toBe(key(1, { prompt: 'x' }));
  expect(runKeyOf({ nodes: [at('a', 1, 2)], edges: [edge('a.x', 'b.y')] })).toBe(
    '[[{"id":"a","type":"Agent","position":null,"values":{}}],[{"from":{"node":"a","port":"x"},"to":{"node":"b","port":"y"}}]]',
  );
});
