import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../document.ts';
import { FlowError } from '../errors.ts';
import { isSpecText, parseSpec, parseSpecInParts, type FlowSpec } from './parse-spec.ts';
import { printSpec } from './print-spec.ts';
import { SPEC } from './testing-spec.ts';

const refusal = (text: string): unknown => {
  try {
    return parseSpec(text);
  } catch (error) {
    return error;
  }
};

it('tells the text form from JSON', () => {
  expect([' {', '\n[', 'name: x', '', 'x {'].map(isSpecText)).toEqual([false, false, true, true, true]);
});

describe('parseSpec', () => {
  it('reads names, nodes, edges, texts of several lines and values', () => {
    const spec = parseSpec(SPEC);
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
    ['nodes:\n  A: T\nedges:\n  A.x -> A', "Invalid edge definition: 'A.x -> A'. Both sides must be 'Node.port'"],
    [
      'nodes:\n  A: T\nedges:\n  A.x -> A.y -> A.z',
      "Invalid edge definition: 'A.x -> A.y -> A.z'. Expected format: 'Node.output -> Node.input'",
    ],
    ['name: x', "No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries."],
  ])('refuses %j with the text other systems know', (text, message) => {
    expect(refusal(text)).toEqual(new FlowError('invalid_spec', message));
  });

  const BOTH = 'nodes:\n  A: T\n  B: T\n';

  it.each([
    [`${BOTH}  A: T`, "Node 'A' is defined twice. Give one of them another ID.", { node: 'A' }],
    [
      `${BOTH}config:\n  X.f: 1`,
      "Config references unknown node 'X'. Available: ['A', 'B']",
      { node: 'X', field: 'f' },
    ],
    [`${BOTH}edges:\n  X.o -> A.i`, "Edge references unknown source 'X'. Available: ['A', 'B']", { node: 'X' }],
    [`${BOTH}edges:\n  A.o -> X.i`, "Edge references unknown target 'X'. Available: ['A', 'B']", { node: 'X' }],
  ])('refuses %j with its place', (text, message, place) => {
    expect(refusal(text)).toEqual(new FlowError('invalid_spec', message, place));
    expect(refusal(text)).toMatchObject({ code: 'invalid_spec', place });
  });

  it('reads a name, a description, edges with more spaces and texts of several lines', () => {
    const text = [
      'name:  N ',
      'description:  D: e ',
      'config:',
      '  A.a: ',
      '  A.b:|',
      '      deep',
      '   ',
      '        deeper',
      '',
      '  A.c:',
      '    more',
      '   less',
      'edges:',
      'A.o  ->  B.i',
      BOTH,
    ];
    expect(parseSpec(text.join('\r\n'))).toEqual({
      name: 'N',
      description: 'D: e',
      nodes: [
        { id: 'A', type: 'T' },
        { id: 'B', type: 'T' },
      ],
      edges: [{ from: { node: 'A', port: 'o' }, to: { node: 'B', port: 'i' } }],
      config: [
        { node: 'A', field: 'a', value: '' },
        { node: 'A', field: 'b', value: 'deep\n\n  deeper' },
        { node: 'A', field: 'c', value: ' more\nless' },
      ],
    });
    expect(Object.keys(parseSpec(BOTH))).toEqual(['nodes', 'edges', 'config']);
  });

  it('reads 500 lines in a part', () => {
    const turns = (lines: number) => {
      const parts = parseSpecInParts(`nodes:\n${Array.from({ length: lines - 1 }, (_, at) => `N${at}: T`).join('\n')}`);
      let count = 0;
      while (parts.next().done !== true) count++;
      return count;
    };
    expect([turns(2), turns(500), turns(501), turns(1_001)]).toEqual([1, 1, 2, 3]);
  });

  it('takes at most 2,000 components and 10,000 edges', () => {
    const spec = (nodes: number, edges: number) =>
      [
        'nodes:',
        ...Array.from({ length: nodes }, (_, at) => `  N${at}: T`),
        'edges:',
        ...Array(edges).fill('  N0.a -> N1.b'),
      ].join('\n');
    expect(parseSpec(spec(2_000, 10_000)).edges).toHaveLength(10_000);
    for (const [nodes, edges] of [
      [2_001, 0],
      [2, 10_001],
    ] as const)
      expect(refusal(spec(nodes, edges))).toEqual(
        new FlowError(
          'invalid_spec',
          'A text has at most 2000 components and 10000 edges. Use a document for a larger flow.',
        ),
      );
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
