import { readdirSync, readFileSync } from 'node:fs';
import { emptyFlow, type FlowDocument, type NodeCall, runToEnd, validateFlow } from '@croft/flow';
import { afterAll, describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import type { Services } from '../services.ts';
import { expandedOutputs } from '../user/code-outputs.ts';
import { readComponent } from '../user/read-component.ts';
import { runUserCode } from '../user/run-user-code.ts';
import { closeSandbox } from '../user/sandbox-threads.ts';
import { withFlowCode } from '../user/user-registry.ts';
import { builtinSource } from './sources.ts';

const ROWS = [
  { name: 'Ada', city: 'London', age: '36', text: 'an engine weaves patterns' },
  { name: 'Bob', city: 'Paris', age: 9, text: 'flowers and leaves' },
  { name: 'Cem', city: 'London', age: null, address: { street: 'a' } },
];
const TEXT = { text: 'One two.\n\nThree four five, six.' };

/** Inputs of each editable component. The fields that are left out have their defaults. */
const CASES: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  TextInput: [{ input_value: 'a {b}' }, { input_value: TEXT }, { input_value: { n: [1] } }],
  TextOutput: [{ input_value: 'a' }, { input_value: TEXT }],
  ChatInput: [{ input_value: 'hello', session_id: 's' }, {}],
  ChatOutput: [
    { input_value: TEXT },
    { input_value: ROWS },
    { input_value: ROWS, data_template: '{name}: {address.street}' },
    { input_value: { n: 1 } },
  ],
  PromptTemplate: [{ template: 'Say {word}' }],
  ParserComponent: [
    { input_data: ROWS, pattern: '{name} {address}' },
    { input_data: ROWS, mode: 'Stringify' },
  ],
  TypeConverterComponent: [
    { input_data: '[{"a": 1}, 2]' },
    { input_data: TEXT, auto_parse: false },
    { input_data: ROWS },
    { input_data: '{"broken' },
  ],
  CombineText: [{ texts: [TEXT, 'b', ''], text1: 'a', delimiter: ' - ' }, {}],
  SplitText: [
    { data_inputs: [TEXT, { text: 'x'.repeat(50), id: 1 }], chunk_size: 12, chunk_overlap: 3 },
    { data_inputs: TEXT, chunk_size: 10, chunk_overlap: 9 },
  ],
  FilterRows: [
    { df: ROWS, column_name: 'age', operator: 'greater than', filter_value: '10' },
    { df: ROWS, column_name: 'address.street', operator: 'is empty' },
    { df: ROWS, column_name: 'name', operator: 'contains', filter_value: TEXT },
  ],
  SortRows: [
    { df: ROWS, column_name: 'age', ascending: false, limit: 2 },
    { df: ROWS, column_name: 'text' },
  ],
  AggregateRows: [
    { df: ROWS },
    { df: ROWS, group_by: 'city, none', aggregations: [{ column_name: 'age', operation: 'sum', name: 'years' }] },
    {
      df: ROWS,
      aggregations: ['count distinct', 'average', 'min', 'max', 'first', 'last', 'list'].map((operation) => ({
        column_name: 'age',
        operation,
      })),
    },
    { df: ROWS, aggregations: [{ column_name: 'age', operation: 'median' }] },
  ],
  ListItem: [
    { items: ROWS, index: 2 },
    { items: ROWS, index: -1 },
    { items: 'one', index: 2 },
  ],
  MergeData: [
    { data_inputs: ROWS },
    { data_inputs: ROWS, operation: 'Merge' },
    ...['inner', 'left', 'outer'].map((how) => ({
      data_inputs: ROWS,
      operation: 'Join',
      join_with: [{ city: 'London', name: 'big' }, { city: 'Rome' }],
      join_on: 'city',
      how,
    })),
  ],
  TextStatistics: [{ text_input: TEXT }, { text_input: 'Zürich’s 🚀 words' }, { text_input: '' }],
  ConditionalRouter: [
    { input_text: 'A', operator: 'equals', match_text: 'a', case_sensitive: false },
    { input_text: 'A', operator: 'less than', match_text: 'B', false_case_message: ROWS, round: 50 },
    { input_text: 'A', match_text: 'B', false_case_message: ROWS },
  ],
  Switch: [
    { input_value: ROWS[0], input_text: 'beta', cases: [{ match_text: 'alpha' }, { match_text: 'Beta' }] },
    { input_value: TEXT, cases: [{ match_text: 'x' }] },
  ],
  LoopComponent: [{ data: ROWS }, { data: TEXT }],
  FirstAvailable: [{ values: [ROWS, TEXT] }, { values: [TEXT] }],
  CalculatorComponent: [{ expression: '2 ** 3 / (1 + 2)' }, { expression: TEXT }, { expression: '1 / 0' }],
  Rerank: [{ query: 'weaving patterns', df: ROWS, top_n: 2 }],
};

const builtins = builtinRegistry();
const TYPES = builtins.entries.map(({ descriptor }) => descriptor.type).filter((type) => builtinSource(type));
const entryOf = (type: string) => builtins.get(type) as NonNullable<ReturnType<typeof builtins.get>>;
const sourceOf = (type: string) => builtinSource(type) as string;

afterAll(closeSandbox);

function callOf(type: string, given: Readonly<Record<string, unknown>>): NodeCall<Services> {
  const { fields, outputs } = entryOf(type).descriptor;
  const defaults = Object.fromEntries(fields.flatMap((each) => ('default' in each ? [[each.name, each.default]] : [])));
  const { round = 0, ...inputs } = given;
  return {
    nodeId: 'N',
    inputs: { ...defaults, ...inputs },
    connected: new Set(),
    wanted: new Set(outputs.map(({ name }) => name)),
    services: { now: () => new Date(0) },
    signal: new AbortController().signal,
    round: round as number,
    stepKey: 'N',
    code: undefined,
  };
}

/** The outputs as JSON, or the failure without its place. */
async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    const ran = run();
    if (!isGenerator(ran)) return JSON.parse(JSON.stringify(await ran));
    for (;;) {
      const { done, value } = await ran.next();
      if (done === true) return value;
    }
  } catch (error) {
    const { message, fix } = error as { message: string; fix?: string };
    return { message: message.replace(/^\w+, line \d+: /, ''), fix };
  }
}

const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof (value as { next?: unknown } | undefined)?.next === 'function';

describe('a built-in component that can be edited', () => {
  it('is one of at least 20, each with cases here', () => {
    expect(TYPES.length).toBeGreaterThanOrEqual(20);
    expect(Object.keys(CASES).sort()).toEqual([...TYPES].sort());
  });

  it('has the source of its file', () => {
    const dir = new URL('.', import.meta.url);
    const files = readdirSync(dir).map((name) => readFileSync(new URL(name, dir), 'utf8'));
    for (const type of TYPES)
      expect(files).toContain(sourceOf(type).replace("from '@croft/component'", "from './component.ts'"));
  });

  it.each(TYPES)('%s declares the ports that its source has', async (type) => {
    const read = await readComponent(sourceOf(type));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const { descriptor } = entryOf(type);
    expect(read.component).toMatchObject({
      className: type,
      label: descriptor.label,
      description: descriptor.description,
      icon: descriptor.icon,
    });
    expect(read.component.fields).toEqual(descriptor.fields);
    expect(expandedOutputs(read.component.outputs, {})).toEqual(descriptor.outputs);
  });

  it.each(TYPES.flatMap((type) => (CASES[type] ?? []).map((inputs, at) => [type, at, inputs] as const)))(
    '%s gives the same in the sandbox (%i)',
    async (type, _, inputs) => {
      const call = callOf(type, inputs);
      const direct = await outcomeOf(() => entryOf(type).run(call));
      const inSandbox = await outcomeOf(() => runUserCode(sourceOf(type), call, { round: call.round }));
      expect(inSandbox).toEqual(direct);
      expect(Object.keys(direct as object).length).toBeGreaterThan(0);
    },
  );
});

describe('code of a built-in component', () => {
  const flowOf = (type: string, code: string, values = {}): FlowDocument => ({
    ...emptyFlow('x'),
    nodes: [{ id: 'N', type, position: { x: 0, y: 0 }, values, code }],
  });
  const services: Services = { now: () => new Date(0) };

  it('that differs in spaces only is the component itself', async () => {
    const flow = flowOf('CombineText', sourceOf('CombineText').replaceAll('\n', '\r\n  '), { text1: 'a' });
    const { registry, findings } = await withFlowCode(builtins, flow);
    expect([registry, findings]).toEqual([builtins, []]);
    expect((await runToEnd(flow, { registry, services })).outputs['N']).toEqual({ combined_text: { text: 'a' } });
  });

  it('that was changed has its own ports and runs in the sandbox; other nodes stay', async () => {
    const code = sourceOf('ChatOutput')
      .replace("name: 'message', label", "name: 'loud', label")
      .replace('return { message: { ...message(text),', 'return { loud: { ...message(text.toUpperCase()),');
    const other = { id: 'O', type: 'ChatOutput', position: { x: 0, y: 0 }, values: {} };
    const changed = flowOf('ChatOutput', code);
    const flow = { ...changed, nodes: [...changed.nodes, other] };
    const inputs = { N: { input_value: 'a' }, O: { input_value: 'b' } };
    const { registry, findings } = await withFlowCode(builtins, flow);
    const { outputs } = await runToEnd(flow, { registry, services, inputs });
    expect(findings).toEqual([]);
    expect(outputs).toMatchObject({ N: { loud: { text: 'A' } }, O: { message: { text: 'b' } } });
    expect(registry.get('ChatOutput')?.descriptor).toMatchObject({ boundary: 'output', effects: ['code'] });
  });

  it('keeps the outputs for each case of a switch', async () => {
    const code = sourceOf('Switch').replace('fold(match)', 'fold(match.trim())');
    const cases = [{ match_text: ' a ' }, { match_text: 'b' }];
    const flow = flowOf('Switch', code, { cases, input_value: 'a' });
    const { registry } = await withFlowCode(builtins, flow);
    expect((await runToEnd(flow, { registry, services })).outputs['N']).toEqual({ case_1_result: 'a' });
  });

  it('is scanned like other code, and refused where the component cannot be edited', async () => {
    const evil = sourceOf('TextInput').replace('message(', "eval('1') || message(");
    const { findings } = await withFlowCode(builtins, flowOf('TextInput', evil));
    expect(findings).toMatchObject([{ node: 'N', message: expect.stringContaining('eval()') }]);
    const fixed = await withFlowCode(builtins, flowOf('HumanApproval', sourceOf('TextInput')));
    expect(fixed.findings).toMatchObject([{ message: expect.stringContaining('cannot be edited') }]);
    expect(validateFlow(flowOf('TextInput', sourceOf('TextInput')), builtins)).toEqual([]);
  });
});
