import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { flowOf } from '../testing.ts';
import { buildFromSpec, buildFromSpecInParts } from './build-from-spec.ts';
import { parseSpec, type FlowSpec } from './parse-spec.ts';
import { printSpec, specOf, summariseFlow } from './print-spec.ts';

const entry = (type: string, fields: readonly string[], outputs: readonly string[]) => ({
  descriptor: {
    type,
    label: type,
    description: type,
    category: 'test',
    fields: fields.map((name) => ({ name, label: name, kind: 'multiline' as const, accepts: ['Message' as const] })),
    outputs: outputs.map((name) => ({ name, label: name, types: ['Message' as const] })),
    effects: ['none'] as const,
  },
});
const registry = createRegistry([
  entry('ChatInput', ['input_value'], ['message']),
  entry('Agent', ['input_value', 'system_prompt'], ['response']),
  entry('ChatOutput', ['input_value'], ['message']),
]);
let count = 0;
const newId = (type: string) => `${type}-${count++}`;

const TEXT = `name: Q and A
nodes:
  A: ChatInput
  B: Agent
  C: ChatOutput
edges:
  A.message -> B.input_value
  B.response -> C.input_value
config:
  B.system_prompt: |
    Answer briefly.

      Indented.
  A.input_value: 42
`;

describe('parseSpec', () => {
  it('reads names, nodes, edges, texts of several lines and values', () => {
    const spec = parseSpec(TEXT);
    expect(spec.name).toBe('Q and A');
    expect(spec.nodes.map(({ id }) => id)).toEqual(['A', 'B', 'C']);
    expect(spec.config).toEqual([
      { node: 'B', field: 'system_prompt', value: 'Answer briefly.\n\n  Indented.' },
      { node: 'A', field: 'input_value', value: 42 },
    ]);
  });

  it.each<[string, Json]>([
    ['true', true],
    ['FALSE', false],
    ['none', null],
    ['-3', -3],
    ['2.5', 2.5],
    ['"42"', '42'],
    ['{"a": [1]}', { a: [1] }],
    ['[not json', '[not json'],
    ['plain text: with -> signs', 'plain text: with -> signs'],
    ['99999999999999999999', '99999999999999999999'],
  ])('reads the value %s', (text, value) => {
    expect(parseSpec(`nodes:\n  A: T\nconfig:\n  A.x: ${text}`).config[0]?.value).toEqual(value);
  });

  it.each([
    ['hello', "Unrecognized line: 'hello'. Expected 'name:', 'description:', or a section header."],
    ['nodes:\n  A', "Invalid node definition: 'A'. Expected format: 'ID: ComponentType'"],
    [
      'nodes:\n  A: T\nedges:\n  A.x->A.y',
      "Invalid edge definition: 'A.x->A.y'. Expected format: 'Node.output -> Node.input'",
    ],
    ['nodes:\n  A: T\nedges:\n  A -> A.y', "Invalid edge definition: 'A -> A.y'. Both sides must be 'Node.port'"],
    ['nodes:\n  A: T\nconfig:\n  A: 1', "Invalid config entry: 'A: 1'. Expected format: 'Node.field: value'"],
    ['name: x', "No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries."],
    ['nodes:\n  A: T\nconfig:\n  X.f: 1', "Config references unknown node 'X'. Available: ['A']"],
    ['nodes:\n  A: T\nedges:\n  X.o -> A.i', "Edge references unknown source 'X'. Available: ['A']"],
    ['nodes:\n  A: T\nedges:\n  A.o -> X.i', "Edge references unknown target 'X'. Available: ['A']"],
  ])('refuses %j with the text other systems know', (text, message) => {
    expect(() => parseSpec(text)).toThrow(message);
  });

  it('gives back what was printed, for any nodes, edges and values', () => {
    const id = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);
    const anyText = fc.oneof(
      fc.string(),
      fc.constantFrom('true', '42', ' lead', 'a\nb', 'a\n\n  b', '|', '"q"', '[', 'x\n', '\n', '{}', 'a\r\nb'),
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '|', '"', '-') }),
    );
    const value = fc.oneof(
      anyText,
      fc.jsonValue().map((each) => JSON.parse(JSON.stringify(each)) as never),
    );
    const anySpec: fc.Arbitrary<FlowSpec> = fc.uniqueArray(id, { minLength: 1, maxLength: 6 }).chain((ids) => {
      const port = fc.record({ node: fc.constantFrom(...ids), port: id });
      return fc.record({
        nodes: fc.tuple(...ids.map((each) => id.map((type) => ({ id: each, type })))),
        edges: fc.array(fc.record({ from: port, to: port }), { maxLength: 5 }),
        config: fc.array(fc.record({ node: fc.constantFrom(...ids), field: id, value }), { maxLength: 6 }),
      }) as fc.Arbitrary<FlowSpec>;
    });
    fc.assert(
      fc.property(anySpec, (spec) => {
        const { nodes, edges, config } = parseSpec(printSpec(spec));
        expect({ nodes, edges, config }).toEqual({ nodes: spec.nodes, edges: spec.edges, config: spec.config });
      }),
      { numRuns: 500, seed: 21 },
    );
  });
});

describe('buildFromSpec', () => {
  it('builds a flow whose spec says the same', () => {
    const built = buildFromSpec(TEXT, registry, newId);
    if ('error' in built) throw new Error(built.details);
    expect([built.name, built.node_count, built.edge_count]).toEqual(['Q and A', 3, 2]);
    const again = buildFromSpec(printSpec(specOf(built.flow)), registry, newId);
    expect('flow' in again && again.flow.edges).toHaveLength(2);
    expect(built.flow.nodes.map(({ position }) => position.x)).toEqual([0, 600, 1200]);
  });

  it('gives components ids of their own, although random characters repeat', () => {
    let calls = 0;
    // The same characters three times in a row.
    const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array).fill(Math.floor(calls++ / 3));
      return bytes;
    });
    const built = buildFromSpec('nodes:\n  A: Agent\n  B: Agent\n  C: Agent', registry, (_, id) =>
      id === 'C' ? 'Agent-aaaaa' : undefined,
    );
    random.mockRestore();
    if ('error' in built) throw new Error(built.details);
    expect(built.node_id_map).toEqual({ A: 'Agent-bbbbb', B: 'Agent-ccccc', C: 'Agent-aaaaa' });
  });

  it('lists what there is where a type is unknown', () => {
    expect(buildFromSpec('nodes:\n  A: Nope', registry)).toEqual({
      error: "Unknown component types: ['Nope']",
      details: "Available types (sample): ['Agent', 'ChatInput', 'ChatOutput']",
    });
  });

  it('is built in parts, each as short as an edge', () => {
    const nodes = Array.from({ length: 300 }, (_, i) => `  N${i}: Agent`);
    const edges = nodes.slice(1).map((_, i) => `  N${i}.response -> N${i + 1}.input_value`);
    const text = ['nodes:', ...nodes, 'edges:', ...edges].join('\n');
    const parts = buildFromSpecInParts(text, registry);
    let count = 0;
    for (let part = parts.next(); part.done !== true; part = parts.next()) count++;
    expect(count).toBeGreaterThan(nodes.length + edges.length);
  });

  it('refuses more components or edges than it adds in a short time', () => {
    const nodes = (count: number) =>
      `nodes:\n${Array.from({ length: count }, (_, index) => `  n${index}: Agent\n`).join('')}`;
    const edges = `edges:\n${'  n0.response -> n1.input_value\n'.repeat(10_001)}`;
    for (const text of [nodes(2_001), nodes(2) + edges])
      expect(buildFromSpec(text, registry)).toMatchObject({
        error: 'Invalid spec',
        details: expect.stringMatching(/at most/),
      });
  });

  it('names the node or the edge that failed', () => {
    expect(buildFromSpec('nodes:\n  A: Agent\nconfig:\n  A.nope: 1', registry)).toMatchObject({
      error: "Failed to configure node 'A'",
    });
    expect(
      buildFromSpec('nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.nope -> B.input_value', registry),
    ).toMatchObject({ error: 'Failed to connect A.nope -> B.input_value' });
  });

  it('makes ports of variables before it connects', () => {
    const built = buildFromSpec(
      'nodes:\n  A: ChatInput\n  B: Agent\nconfig:\n  B.system_prompt: Say {word}\nedges:\n  A.message -> B.word',
      registry,
    );
    expect('flow' in built && built.edge_count).toBe(1);
  });

  it('reads a text block of any number of lines', () => {
    const { config } = parseSpec(`nodes:\n  A: T\nconfig:\n  A.text: |\n${'      x\n'.repeat(300_000)}`);
    expect(config).toEqual([{ node: 'A', field: 'text', value: `${'x\n'.repeat(299_999)}x` }]);
  });
});

describe('summariseFlow', () => {
  it('shows components and connections without values, at most 2,000 characters', () => {
    const flow = flowOf({ a: { type: 'ChatInput', values: { input_value: 'secret' } }, b: 'Agent' }, [
      'a.message -> b.input_value',
    ]);
    expect(summariseFlow(flow)).toBe(
      'name: Test\n\ncomponents:\n  a: ChatInput\n  b: Agent\n\nconnections:\n  a.message -> b.input_value',
    );
    expect(summariseFlow(flowOf({}))).toBe('(empty canvas)');
    const many = flowOf(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`node${index}`, 'T'])));
    expect(summariseFlow(many)).toHaveLength(2_000);
  });
});
