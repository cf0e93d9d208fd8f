import { describe, expect, it } from 'vitest';
import { applyEdits } from './apply-edit.ts';
import type { Descriptor } from './component.ts';
import { checkConnection, connectPorts } from './connect.ts';
import { nodesById } from './document.ts';
import { createRegistry } from './registry.ts';
import { flowOf } from './testing.ts';
import { validateFlow } from './validate.ts';

const entry = (
  type: string,
  fields: Descriptor['fields'],
  outputs: Descriptor['outputs'],
  more: Partial<Descriptor> = {},
) => ({
  descriptor: {
    type,
    label: type,
    description: type,
    category: 'test',
    fields,
    outputs,
    effects: ['none'] as const,
    ...more,
  },
});
const registry = createRegistry([
  entry(
    'Text',
    [{ name: 'text', label: 'Text', kind: 'multiline', required: true }],
    [{ name: 'out', label: 'Out', types: ['Message'] }],
  ),
  entry(
    'Model',
    [
      { name: 'model', label: 'Model', kind: 'model', accepts: ['LanguageModel'] },
      { name: 'input_value', label: 'Input', kind: 'text', accepts: ['Message'] },
      { name: 'temperature', label: 'Temperature', kind: 'slider', min: 0, max: 1 },
    ],
    [
      { name: 'text_output', label: 'Text', types: ['Message'] },
      { name: 'model_output', label: 'Model', types: ['LanguageModel'] },
    ],
  ),
  entry(
    'Agent',
    [{ name: 'tools', label: 'Tools', kind: 'handle', accepts: ['Tool'], list: true }],
    [{ name: 'response', label: 'R', types: ['Message'] }],
  ),
  entry(
    'Calculator',
    [{ name: 'expression', label: 'E', kind: 'text', required: true, toolParameter: true }],
    [{ name: 'result', label: 'R', types: ['Data'] }],
  ),
  entry(
    'Rows',
    [{ name: 'rows', label: 'Rows', kind: 'handle', accepts: ['Table'] }],
    [{ name: 'rows', label: 'R', types: ['Table'] }],
  ),
]);
const edge = (text: string) => flowOf({}, [text]).edges[0] as never;

describe('connectPorts', () => {
  const problemOf = (text: string): unknown => {
    try {
      return connectPorts(flow, registry, edge(text));
    } catch (error) {
      return error;
    }
  };

  const flow = flowOf({
    t: { type: 'Text', values: { text: 'hi' } },
    m: 'Model',
    m2: 'Model',
    a: 'Agent',
    c: 'Calculator',
    r: 'Rows',
  });

  it('turns a component into a tool where its tool output is connected', () => {
    const edits = connectPorts(flow, registry, edge('c.component_as_tool -> a.tools'));
    expect(edits).toEqual([
      { kind: 'enable_tool_mode', id: 'c', enabled: true },
      { kind: 'connect', edge: edge('c.component_as_tool -> a.tools') },
    ]);
    expect(applyEdits(flow, edits).flow.nodes.find(({ id }) => id === 'c')?.toolMode).toBe(true);
  });

  it('refuses a component without tool inputs as a tool', () => {
    expect(problemOf('t.component_as_tool -> a.tools')).toMatchObject({
      code: 'no_tool_mode',
      message: expect.stringMatching(
        /^Cannot connect 't\.component_as_tool': this component has no tool_mode-capable input\./,
      ),
    });
  });

  it('switches a model field to its port, and selects the output among several', () => {
    const edits = connectPorts(flow, registry, edge('m.model_output -> m2.model'));
    expect(edits).toEqual([
      { kind: 'set_connection_mode', id: 'm2', field: 'model', enabled: true },
      { kind: 'connect', edge: edge('m.model_output -> m2.model') },
      { kind: 'select_output', id: 'm', output: 'model_output' },
    ]);
  });

  it('replaces the model of a field, and keeps the edges of other inputs', () => {
    const nodes = { m: 'Model', m2: { type: 'Model', connectedFields: ['model'] }, m3: 'Model', t: 'Text' };
    const before = flowOf(nodes, [
      'm.model_output -> m2.model',
      'm.model_output -> m3.model',
      't.out -> m2.input_value',
    ]);
    const edits = connectPorts(before, registry, edge('m3.model_output -> m2.model'));
    expect(edits).toEqual([
      { kind: 'disconnect', edge: edge('m.model_output -> m2.model') },
      { kind: 'connect', edge: edge('m3.model_output -> m2.model') },
      { kind: 'select_output', id: 'm3', output: 'model_output' },
    ]);
    const more = connectPorts(before, registry, edge('m3.text_output -> m2.input_value'));
    expect(more.map(({ kind }) => kind)).toEqual(['connect', 'select_output']);
  });

  it('selects no output that is selected, and corrects one that a node does not have any more', () => {
    const nodes = {
      m: { type: 'Model', selectedOutput: 'text_output' },
      m2: 'Model',
      t: { type: 'Text', selectedOutput: 'old' },
    };
    const kinds = (text: string) => connectPorts(flowOf(nodes), registry, edge(text)).map(({ kind }) => kind);
    expect(kinds('m.text_output -> m2.input_value')).toEqual(['connect']);
    expect(connectPorts(flowOf(nodes), registry, edge('t.out -> m2.input_value'))[1]).toEqual({
      kind: 'select_output',
      id: 't',
      output: 'out',
    });
    const tool = flowOf({ c: { type: 'Calculator', toolMode: true, selectedOutput: 'result' }, a: 'Agent' });
    expect(connectPorts(tool, registry, edge('c.component_as_tool -> a.tools')).map(({ kind }) => kind)).toEqual([
      'connect',
    ]);
  });

  it('changes nothing where the edge exists', () => {
    const once = applyEdits(flow, connectPorts(flow, registry, edge('t.out -> m.input_value'))).flow;
    expect(connectPorts(once, registry, edge('t.out -> m.input_value'))).toEqual([]);
  });

  const mismatch = (from: string, produces: string, to: string, accepts: string, hint = '') =>
    `Type mismatch: output ${from} produces ['${produces}'], but input ${to} accepts ['${accepts}']${hint}`;

  it.each([
    ['x.out -> m.input_value', 'unknown_node', { node: 'x' }, 'Component not found in flow: x'],
    ['t.out -> x.in', 'unknown_node', { node: 'x' }, 'Component not found in flow: x'],
    [
      't.nope -> m.input_value',
      'unknown_port',
      { node: 't', field: 'nope' },
      "Output 'nope' not found on component 't'. Available: ['out']",
    ],
    [
      't.out -> m.nope',
      'unknown_port',
      { node: 'm', field: 'nope' },
      "Input 'nope' not found on component 'm'. Available: ['model', 'input_value']",
    ],
    [
      't.out -> m.model',
      'type_mismatch',
      { node: 'm', field: 'model' },
      mismatch("'out' on 't'", 'Message', "'model' on 'm'", 'LanguageModel'),
    ],
  ])('refuses %s and lists what there is', (text, code, place, message) => {
    expect(problemOf(text)).toMatchObject({ code, place, message });
    expect(checkConnection(nodesById(flow), registry, edge(text))).toEqual({ problem: problemOf(text) });
  });

  it('names the converter for types that do not fit', () => {
    expect(checkConnection(nodesById(flow), registry, edge('t.out -> r.rows'))).toEqual({
      problem: expect.objectContaining({
        code: 'type_mismatch',
        message: mismatch(
          "'out' on 't'",
          'Message',
          "'rows' on 'r'",
          'Table',
          ". Put a TypeConverterComponent between them: connect to its 'input_data', and from its 'dataframe_output'",
        ),
      }),
      converter: { component: 'TypeConverterComponent', input: 'input_data', output: 'dataframe_output' },
    });
    expect(checkConnection(nodesById(flow), registry, edge('t.out -> m.input_value'))).toEqual({});
  });

  it('accepts the end of a round at the output of a loop, and lists at most 100 ports', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ name: `p${at}`, label: '', types: ['Any'] as const }));
    const loops = createRegistry([
      entry('Loop', [], [{ name: 'item', label: 'I', types: ['Data'], loop: true }]),
      entry('Many', [], many),
    ]);
    const nodes = nodesById(flowOf({ l: 'Loop', n: 'Many' }));
    expect(checkConnection(nodes, loops, edge('n.p0 -> l.item'))).toEqual({});
    expect(checkConnection(nodes, loops, edge('n.none -> l.item')).problem?.message).toMatch(/, 'p99'\]$/);
  });
});

describe('validateFlow', () => {
  const findings = (flow: Parameters<typeof validateFlow>[0]) =>
    validateFlow(flow, registry).map(({ code, node, field }) => [code, node, field].join(' ').trim());

  it('finds nothing in a flow that runs', () => {
    expect(
      findings(flowOf({ t: { type: 'Text', values: { text: 'hi' } }, m: 'Model' }, ['t.out -> m.input_value'])),
    ).toEqual([]);
  });

  it.each<[string, Parameters<typeof flowOf>, string]>([
    ['an unknown type', [{ x: 'Unheard' }], 'unknown_type x'],
    ['a required value that is missing', [{ t: 'Text' }], 'missing_value t text'],
    [
      'a value of the wrong kind',
      [{ m: { type: 'Model', values: { temperature: 'hot' } } }],
      'wrong_value m temperature',
    ],
    ['a value out of bounds', [{ m: { type: 'Model', values: { temperature: 2 } } }], 'wrong_value m temperature'],
    ['a value that nothing uses', [{ m: { type: 'Model', values: { heat: 1 } } }], 'wrong_value m heat'],
    [
      'types that do not fit',
      [{ t: { type: 'Text', values: { text: 'x' } }, r: 'Rows' }, ['t.out -> r.rows']],
      'type_mismatch r rows',
    ],
    [
      'a port that does not exist',
      [{ t: { type: 'Text', values: { text: 'x' } }, m: 'Model' }, ['t.out -> m.nope']],
      'unknown_port m nope',
    ],
    [
      'a cycle',
      [{ a: 'Model', b: 'Model' }, ['a.text_output -> b.input_value', 'b.text_output -> a.input_value']],
      'cycle a',
    ],
    [
      'an orphan among several',
      [{ a: 'Model', b: 'Model', c: 'Model' }, ['a.text_output -> b.input_value']],
      'orphan c',
    ],
  ])('finds %s', (_, parts, expected) => {
    expect(findings(flowOf(...parts))).toContain(expected);
  });

  it('gives each finding a fix', () => {
    for (const finding of validateFlow(flowOf({ x: 'Unheard', t: 'Text' }), registry))
      expect(finding.fix).toMatch(/^[A-Z].*\.$/);
  });

  it('checks five thousand edges in time that grows with their number', () => {
    const count = 5_000;
    const nodes = Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 'Model']));
    const edges = Array.from({ length: count - 1 }, (_, index) => `m${index}.text_output -> m${index + 1}.input_value`);
    let lookups = 0;
    const counting = { entries: registry.entries, get: (type: string) => (lookups++, registry.get(type)) };
    expect(validateFlow(flowOf(nodes, edges), counting)).toEqual([]);
    expect(lookups).toBeLessThan(10 * count);
  });
});
