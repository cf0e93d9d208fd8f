import { describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { isLangflowExport, ONLY_OUTPUT, readLangflowExport } from './read-export.ts';

const node = (data: object = {}, more: object = {}) => ({ id: 'A-1', position: { x: 1, y: 2 }, data, ...more });
const edge = (sourceHandle: unknown, targetHandle: unknown) => ({
  source: 'A',
  target: 'B',
  data: { sourceHandle, targetHandle },
});
const FROM = { name: 'out' };
const TO = { fieldName: 'in' };
const read = (nodes: unknown[] = [], edges: unknown[] = [], more: object = {}, data: object = {}) =>
  readLangflowExport({ ...more, data: { nodes, edges, ...data } });
const readNode = (data: object, more?: object) => read([node(data, more)]).nodes[0];
const fields = (template: object) => readNode({ node: { template } })?.fields;

it('an export has a list of nodes in its data', () => {
  expect([{ data: { nodes: [] } }, { data: { nodes: {} } }, { data: null }, {}, null].map(isLangflowExport)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

describe('a flow', () => {
  it('has its name, description and view, or defaults', () => {
    expect(read([], [], { name: 'F', description: 'D' }, { viewport: { x: 1, y: 2, zoom: 3 } })).toEqual({
      name: 'F',
      description: 'D',
      nodes: [],
      edges: [],
      isPlaced: true,
      viewport: { x: 1, y: 2, zoom: 3 },
    });
    for (const viewport of [null, { x: 1 }, { x: 1, y: 2, zoom: 0 }])
      expect(read([], [], {}, { viewport })).toMatchObject({
        name: 'Imported flow',
        description: '',
        viewport: { x: 0, y: 0, zoom: 1 },
      });
  });

  it('is placed where each node has a position', () => {
    expect(read([node(), node()]).isPlaced).toBe(true);
    expect(read([node(), node({}, { position: null })]).isPlaced).toBe(false);
  });
});

describe('a node', () => {
  it('has what the import reads', () => {
    const value = node(
      {
        type: 'Prompt',
        selected_output: 'out',
        node: { display_name: 'P', description: 'd', tool_mode: true, frozen: true, edited: true },
      },
      { width: 5, height: 6 },
    );
    expect(read([value]).nodes).toEqual([
      {
        id: 'A-1',
        type: 'Prompt',
        displayName: 'P',
        description: 'd',
        position: { x: 1, y: 2 },
        size: { width: 5, height: 6 },
        color: undefined,
        selectedOutput: 'out',
        toolMode: true,
        frozen: true,
        isEdited: true,
        fields: {},
        original: value,
      },
    ]);
  });

  it('has defaults', () => {
    expect(readNode({}, { position: null })).toEqual({
      id: 'A-1',
      type: 'unknown',
      displayName: undefined,
      description: '',
      position: { x: 0, y: 0 },
      size: { width: 324, height: 200 },
      color: undefined,
      selectedOutput: undefined,
      toolMode: false,
      frozen: false,
      isEdited: false,
      fields: {},
      original: expect.anything(),
    });
    expect(readNode({}, { type: 'noteNode' })?.type).toBe('noteNode');
    expect(readNode({ type: 'Own' }, { type: 'noteNode' })?.type).toBe('Own');
  });

  it('has fields, without code and other values', () => {
    expect(
      fields({
        a: { value: 1 },
        b: { value: 'KEY', password: true, load_from_db: true },
        c: {},
        code: { value: 'import os' },
        _type: 'x',
      }),
    ).toEqual({
      a: { value: 1, isSecret: false, isVariable: false },
      b: { value: 'KEY', isSecret: true, isVariable: true },
      c: { value: null, isSecret: false, isVariable: false },
    });
  });

  it('has a short color', () => {
    const color = (backgroundColor: unknown) => readNode({ node: { template: { backgroundColor } } })?.color;
    expect([color('amber'), color('x'.repeat(40)), color('x'.repeat(41)), color(5)]).toEqual([
      'amber',
      'x'.repeat(40),
      undefined,
      undefined,
    ]);
  });

  it('keeps its JSON without code and secrets, with names of variables', () => {
    const template = {
      code: { value: 'import os' },
      key: { value: 'sk-1', password: true },
      saved: { value: 'KEY', password: true, load_from_db: true },
    };
    expect(readNode({ node: { template } })?.original).toEqual(
      node({ node: { template: { key: { value: '', password: true }, saved: template.saved } } }),
    );
  });
});

describe('an edge', () => {
  const ports = (from: unknown, to: unknown) => {
    const [found] = read([], [edge(from, to)]).edges;
    return [found?.from, found?.to];
  };
  const texts = (sourceHandle: string, targetHandle: string) =>
    read([], [{ source: 'A', target: 'B', sourceHandle, targetHandle }]).edges[0];

  it('has its ports in objects or in texts', () => {
    const expected = [
      { node: 'A', port: 'out' },
      { node: 'B', port: 'in' },
    ];
    expect(ports(FROM, TO)).toEqual(expected);
    expect(ports(FROM, { name: 'in' })).toEqual(expected);
    const found = texts('{œnameœ: œoutœ}', '{œfieldNameœ: œinœ}');
    expect([found?.from, found?.to]).toEqual(expected);
    expect(texts('{œnameœ: œa|bœ}', '{œfieldNameœ: œinœ}')?.from.port).toBe('a|b');
  });

  it('starts at the only output before version 1.0', () => {
    expect(texts('Type|A|Message', 'str|in|B')).toEqual({
      from: { node: 'A', port: ONLY_OUTPUT },
      to: { node: 'B', port: 'in' },
      isTool: false,
    });
  });

  it('gives a tool where its output has that name, and that type or none', () => {
    const isTool = (more: object) => read([], [edge({ name: 'component_as_tool', ...more }, TO)]).edges[0]?.isTool;
    expect([isTool({}), isTool({ output_types: ['Tool'] }), isTool({ output_types: ['Message'] })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(read([], [edge(FROM, TO)]).edges[0]?.isTool).toBe(false);
  });

  it.each([
    ['an output', {}, TO],
    ['an input', FROM, {}],
    ['an output in a text', 'not JSON', TO],
    ['an output in a number', '5', TO],
  ])('is refused without %s', (_, from, to) => {
    const one = { source: 'A', target: 'B', sourceHandle: from, data: { targetHandle: to } };
    expect(() => read([], [edge(FROM, TO), typeof from === 'string' ? one : edge(from, to)])).toThrow(
      'Edge 2 of the Langflow export does not name its ports. Export the flow again.',
    );
  });
});

describe('what cannot be read', () => {
  it('is named with its place', () => {
    expect(() => read([node(), { id: '' }])).toThrow(/^Node 2 of the Langflow export, field 'id' cannot be read: /);
    expect(() => read([], [{ source: 5 }])).toThrow(/^Edge 1 of the Langflow export, field 'source' cannot be read: /);
    expect(() => readLangflowExport({})).toThrow(/^The Langflow export, field 'data' cannot be read: /);
    expect(() => readLangflowExport(5)).toThrow(/^The Langflow export cannot be read: /);
    expect(() => read([5])).toThrow(expect.objectContaining({ code: 'invalid_document' }));
  });

  it('is more than the limits', () => {
    const many = Array.from({ length: LIMITS.nodes + 1 }, () => node());
    expect(read(many.slice(1)).nodes).toHaveLength(LIMITS.nodes);
    expect(() => read(many)).toThrow("field 'data.nodes'");
  });
});
