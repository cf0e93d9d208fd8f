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
    expect(edits.map(({ kind }) => kind)).toEqual(['enable_tool_mode', 'connect']);
    expect(applyEdits(flow, edits).flow.nodes.find(({ id }) => id === 'c')?.toolMode).toBe(true);
  });

  it('refuses a component without tool inputs as a tool', () => {
    expect(() => connectPorts(flow, registry, edge('t.component_as_tool -> a.tools'))).toThrow(
      "Cannot connect 't.component_as_tool': this component has no tool_mode-capable input.",
    );
  });

  it('switches a model field to its port, and selects the output among several', () => {
    const edits = connectPorts(flow, registry, edge('m.model_output -> m2.model'));
    expect(edits.map(({ kind }) => kind)).toEqual(['set_connection_mode', 'connect', 'select_output']);
  });

  it('changes nothing where the edge exists', () => {
    const once = applyEdits(flow, connectPorts(flow, registry, edge('t.out -> m.input_value'))).flow;
    expect(connectPorts(once, registry, edge('t.out -> m.input_value'))).toEqual([]);
  });

  it.each([
    ['x.out -> m.input_value', 'Component not found in flow: x'],
    ['t.nope -> m.input_value', "Output 'nope' not found on component 't'. Available: ['out']"],
    ['t.out -> m.nope', "Input 'nope' not found on component 'm'. Available: ['model', 'input_value']"],
    [
      't.out -> r.rows',
      "Type mismatch: output 'out' on 't' produces ['Message'], but input 'rows' on 'r' accepts ['Table']",
    ],
  ])('refuses %s and lists what there is', (text, message) => {
    expect(() => connectPorts(flow, registry, edge(text))).toThrow(message);
  });

  it('names the converter for types that do not fit', () => {
    expect(checkConnection(nodesById(flow), registry, edge('t.out -> r.rows')).converter?.component).toBe(
      'TypeConverterComponent',
    );
    expect(checkConnection(nodesById(flow), registry, edge('t.out -> m.input_value'))).toEqual({});
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
