import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { inputsFor, toolInputsOf } from './flow-inputs.ts';

const registry = builtinRegistry();
function found(...lines: readonly string[]) {
  const built = buildFromSpec(['nodes:', ...lines].join('\n'), registry, (_type, id) => id);
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  return { id: 'f', flow: { ...built.flow, name: 'inner' }, registry };
}
const FLOW = [
  '  I: ChatInput',
  '  T: TextInput',
  '  C: CombineText',
  '  O: ChatOutput',
  'edges:',
  '  I.message -> C.texts',
  '  T.text -> C.texts',
  '  C.combined_text -> O.input_value',
];
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('the inputs of a flow', () => {
  it('are the message for its chat input, else for its text input', () => {
    expect(plain(inputsFor(found(...FLOW), 'hi', {}))).toEqual({ I: { input_value: 'hi' } });
    expect(plain(inputsFor(found('  T: TextInput'), 'hi', {}))).toEqual({ T: { input_value: 'hi' } });
    expect(plain(inputsFor(found(...FLOW), undefined, {}))).toEqual({});
    expect(plain(inputsFor(found(...FLOW), '', {}))).toEqual({ I: { input_value: '' } });
  });

  it('are values by node and field, of which the message replaces its own', () => {
    expect(plain(inputsFor(found(...FLOW), 'hi', { 'T.input_value': 'a', 'I.input_value': 'b' }))).toEqual({
      T: { input_value: 'a' },
      I: { input_value: 'hi' },
    });
    expect(Object.getPrototypeOf(inputsFor(found(...FLOW), 'hi', {}))).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['C.delimiter', '-', "'C.delimiter' is not an input of the flow 'inner'."],
    ['X.input_value', '-', "'X.input_value' is not an input of the flow 'inner'."],
    ['T', '-', "'T' is not an input of the flow 'inner'."],
    ['T.other', '-', "'other' of T in the flow 'inner' is not a field."],
    ['T.input_value', { a: 1 }, "'input_value' of T in the flow 'inner' "],
  ])('are not: %s', (name, value, message) => {
    expect(() => inputsFor(found(...FLOW), undefined, { [name]: value })).toThrow(message);
  });

  it('may not be set where only the author of the flow sets them', () => {
    const flow = found('  M: MCPTools');
    expect(() => inputsFor(flow, undefined, { 'M.command': 'x' })).toThrow(
      "'command' of M in the flow 'inner' is set in that flow only.",
    );
  });

  it('say which nodes there are', () => {
    let fix = '';
    try {
      inputsFor(found(...FLOW), undefined, { 'X.y': 1 });
    } catch (error) {
      ({ fix } = error as { fix: string });
    }
    expect(fix).toBe('Write it as NODE.FIELD, with one of these nodes: I, T.');
  });

  it('have no message where the flow takes none, unless it is empty', () => {
    const flow = found('  D: CurrentDate');
    expect(plain(inputsFor(flow, '', {}))).toEqual({});
    expect(() => inputsFor(flow, 'hi', {})).toThrow("The flow 'inner' takes no message.");
  });
});

describe('the arguments of a flow as a tool', () => {
  it('are one message, or one argument for each input', () => {
    expect(toolInputsOf(found('  I: ChatInput'))).toEqual([
      { name: 'input_value', help: 'The message for the flow.', input: 'I.input_value' },
    ]);
    const { flow } = found(...FLOW);
    const named = {
      ...flow,
      nodes: flow.nodes.map((node) => (node.id === 'T' ? { ...node, name: 'The text' } : node)),
    };
    expect(toolInputsOf({ id: 'f', flow: named, registry })).toEqual([
      { name: 'I', help: 'I', input: 'I.input_value' },
      { name: 'T', help: 'The text', input: 'T.input_value' },
    ]);
    const only = { ...flow, nodes: named.nodes.filter(({ id }) => id === 'T'), edges: [] };
    expect(toolInputsOf({ id: 'f', flow: only, registry })[0]?.help).toBe('The text');
  });

  it('have names that a model may write', () => {
    const { flow } = found(...FLOW);
    const nodes = flow.nodes.map((node) => (node.id === 'T' ? { ...node, id: `a b.${'x'.repeat(80)}` } : node));
    const [, second] = toolInputsOf({ id: 'f', flow: { ...flow, nodes, edges: [] }, registry });
    expect(second?.name).toBe(`a_b_${'x'.repeat(60)}`);
  });

  it('do not exist where the flow has no inputs', () => {
    expect(toolInputsOf(found('  D: CurrentDate'))).toEqual([]);
  });
});
