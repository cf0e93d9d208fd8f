import { builtinRegistry } from '@croft/components';
import { emptyFlow, type Finding, type FlowDocument, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import { inputsOf, requireRunnable } from './run-request.ts';

// A document that an earlier version stored may have any id.
it.each(['__proto__', 'constructor', 'toString'])(
  'gives values to a node with the id %s and to no object of the process',
  (id) => {
    const flow = { ...emptyFlow(), nodes: [{ id, type: 'ChatInput', position: { x: 0, y: 0 }, values: {} }] };
    const shared: object[] = [Object.prototype, Object, Object.prototype.toString];
    const inputs = inputsOf(flow, builtinRegistry(), { message: 'hello', session: 'mine' });
    const changed = shared.filter((each) => Object.hasOwn(each, 'input_value') || Object.hasOwn(each, 'session_id'));
    for (const each of changed) for (const key of ['input_value', 'session_id']) Reflect.deleteProperty(each, key);
    expect(changed).toEqual([]);
    expect(Object.entries(inputs)).toEqual([[id, { input_value: 'hello', session_id: 'mine' }]]);
  },
);

const registry = builtinRegistry();
const node = (id: string, type: string, values: FlowNode['values'] = {}): FlowNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  values,
});
const flowOf = (...nodes: FlowNode[]): FlowDocument => ({ ...emptyFlow(), nodes });
const read = (flow: FlowDocument, values: Parameters<typeof inputsOf>[2]) =>
  JSON.parse(JSON.stringify(inputsOf(flow, registry, values))) as unknown;

it('gives the message to the chat input, else to the text input', () => {
  const both = flowOf(node('t', 'TextInput'), node('c', 'ChatInput'));
  expect(read(both, { message: 'hi' })).toEqual({ c: { input_value: 'hi' } });
  expect(read(flowOf(node('t', 'TextInput')), { message: 'hi' })).toEqual({ t: { input_value: 'hi' } });
  expect(read(both, {})).toEqual({});
  expect(() => read(flowOf(node('o', 'ChatOutput')), { message: 'hi' })).toThrow(
    'message: the flow has no chat input or text input. Add one, or send `inputs`.',
  );
});

it('gives the session to each node that names none of its own', () => {
  const named = (session_id: string) => node(`m-${session_id}`, 'Memory', { session_id });
  const flow = flowOf(node('m', 'Memory'), named(''), named('default'), named('own'), node('s', 'TextStatistics'));
  const session = { session_id: 'mine' };
  expect(read(flow, { session: 'mine' })).toEqual({ m: session, 'm-': session, 'm-default': session });
});

it('gives values to the fields of inputs of the flow, and to nothing else', () => {
  const flow = flowOf(node('c', 'ChatInput'), node('o', 'ChatOutput'));
  expect(read(flow, { inputs: { c: { input_value: 'a' } }, message: 'b' })).toEqual({ c: { input_value: 'b' } });
  const wired = { ...flow, edges: [{ from: { node: 'c', port: 'message' }, to: { node: 'o', port: 'input_value' } }] };
  expect(() => read(wired, { inputs: { o: {} } })).toThrow("inputs: 'o' is not an input of the flow. Inputs are c.");
  expect(() => read(flow, { inputs: { gone: {} } })).toThrow(
    "inputs: 'gone' is not an input of the flow. Inputs are c, o.",
  );
  expect(() => read(flow, { inputs: { c: { nothing: 1 } } })).toThrow(
    /^inputs: 'nothing' of c is not a field\. Fields are input_value, .*[a-z_]+\.$/,
  );
  expect(() => read(flow, { inputs: { c: { input_value: {} } } })).toThrow(/^inputs: 'input_value' of c .+\.$/);
});

it('refuses a flow that cannot run, with the first five reasons', async () => {
  const reasons = async (flow: FlowDocument, inputs = {}, inCode: Finding[] = []) =>
    requireRunnable(flow, registry, inputs, inCode).then(
      () => '',
      ({ message }: Error) => message,
    );
  const reading = (count: number) => flowOf(...Array.from({ length: count }, (_, at) => node(`F${at}`, 'File')));
  expect(await reasons(flowOf(node('c', 'ChatInput')))).toBe('');
  expect(await reasons(reading(1))).toMatch(/^The flow cannot run: .*F0.*\.$/);
  expect(await reasons(reading(1), { F0: { path: 'a' } })).toBe('');
  expect(await reasons(reading(5))).not.toContain('more');
  expect(await reasons(reading(7))).toMatch(/F4[^5]* And 2 more\.$/);
  expect(await reasons(reading(6))).toMatch(/\. And 1 more\.$/);
  expect(await reasons(reading(1), { F0: { other: 'a' } })).toMatch(/F0/);
  const own = {
    severity: 'error',
    code: 'code',
    message: 'Line 1 is wrong.',
    fix: 'Correct it.',
  } as unknown as Finding;
  expect(await reasons(flowOf(), {}, [own])).toBe('The flow cannot run: Line 1 is wrong. Correct it.');
  expect(await reasons(flowOf(), {}, [{ ...own, severity: 'warning' }])).toBe('');
});
