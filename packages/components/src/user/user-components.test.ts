import {
  buildFromSpec,
  emptyFlow,
  type FlowDocument,
  type FlowNode,
  type Json,
  type Registry,
  type RunEvent,
  type RunResult,
  runToEnd,
  validateFlow,
} from '@croft/flow';
import { withReplaced } from '@croft/workspace/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import type { CroftComponent } from '../services.ts';
import { readComponent } from './read-component.ts';
import { ROW_LIMITS } from './sandbox-session.ts';
import { closeSandbox } from './sandbox-threads.ts';
import { withFlowCode, withStoredComponents } from './user-registry.ts';

const SUM = `import { Component } from '@croft/component';

interface Total { total: number; text: string }

/** Adds the numbers of a row. */
export class SumNumbers extends Component {
  label = 'Sum numbers';
  description = 'Adds two numbers.';
  inputs = [
    { name: 'row', kind: 'handle', accepts: ['Data'], required: true },
    { name: 'offset', kind: 'number', label: 'Offset', default: 10, min: 0 },
    { name: 'unit', kind: 'text', default: 'kg' },
  ] as const;
  outputs = [
    { name: 'total', types: ['Data'], method: 'add' },
    { name: 'shown', types: ['Message'], method: 'show' },
  ];
  row!: { a: number; b: number };
  offset!: number;
  unit!: string;

  add(): Total {
    if (typeof this.row.a !== 'number')
      throw new TypeError('a is not a number');
    this.log('adding', this.row);
    return { total: this.row.a + this.row.b + this.offset, text: this.show() };
  }
  show(): string { return \`\${this.row.a}+\${this.row.b} \${this.unit}\`; }
}
`;

const builtins = builtinRegistry();
const stored = (className: string, code: string) => ({ className, code, origin: 'saved' as const });
const withSum = async () => (await withStoredComponents(builtins, [stored('SumNumbers', SUM)])).registry;

afterAll(closeSandbox);

interface Ran extends RunResult {
  readonly events: readonly RunEvent[];
}

async function run(flow: FlowDocument, registry: Registry<CroftComponent>, signal?: AbortSignal): Promise<Ran> {
  const events: RunEvent[] = [];
  const options = { registry, services: { now: () => new Date() }, ...(signal && { signal }) };
  const result = await runToEnd(flow, options, (event) => void events.push(event));
  return { ...result, events };
}

function built(lines: readonly string[], registry: Registry<CroftComponent>): FlowDocument {
  const result = buildFromSpec(lines.join('\n'), registry);
  if ('error' in result) throw new Error(`${result.error}: ${result.details}`);
  return result.flow;
}

const rowsFlow = (rows: unknown, registry: Registry<CroftComponent>) =>
  built(
    [
      'nodes:',
      '  I: TextInput',
      '  T: TypeConverterComponent',
      '  L: LoopComponent',
      '  S: SumNumbers',
      '  O: ChatOutput',
      'edges:',
      '  I.text -> T.input_data',
      '  T.dataframe_output -> L.data',
      '  L.item -> S.row',
      '  S.total -> L.item',
      '  L.done -> O.input_value',
      'config:',
      `  I.input_value: ${JSON.stringify(JSON.stringify(rows))}`,
    ],
    registry,
  );

const node = (more: Partial<FlowNode>): FlowNode => ({
  id: 'C-1',
  type: 'TypeScriptCode',
  position: { x: 0, y: 0 },
  values: {},
  ...more,
});

const flowOf = (...nodes: readonly FlowNode[]): FlowDocument => ({ ...emptyFlow(), nodes });

const code = (body: string, types = "['Any']") =>
  `export class Own extends Component {\n  inputs = [{ name: 'value', kind: 'json' }];\n  outputs = [{ name: 'result', types: ${types}, method: 'build' }];\n  async build() {\n    ${body}\n  }\n}`;

async function runCode(source: string, values: FlowNode['values'] = {}, signal?: AbortSignal): Promise<Ran> {
  const flow = flowOf(node({ values: { code: source, ...values } }));
  const { registry, findings } = await withFlowCode(builtins, flow);
  expect(findings).toEqual([]);
  return run(flow, registry, signal);
}

describe('a component of a user', () => {
  it('has the ports, defaults and texts of its source', async () => {
    const { descriptor } = (await withSum()).get('SumNumbers') as CroftComponent;
    expect(descriptor).toEqual({
      type: 'SumNumbers',
      label: 'Sum numbers',
      description: 'Adds two numbers.',
      category: 'custom',
      effects: ['code'],
      tool: true,
      fields: [
        { name: 'row', kind: 'handle', label: 'row', accepts: ['Data'], required: true },
        { name: 'offset', kind: 'number', label: 'Offset', min: 0, default: 10 },
        { name: 'unit', kind: 'text', label: 'unit', accepts: ['Message'], default: 'kg' },
      ],
      outputs: [
        { name: 'total', label: 'total', types: ['Data'] },
        { name: 'shown', label: 'shown', types: ['Message'] },
      ],
    });
  });

  it('runs for each row of a loop', async () => {
    const registry = await withSum();
    const rows = Array.from({ length: 20 }, (_, a) => ({ a, b: 1 }));
    const { status, text, failure } = await run(rowsFlow(rows, registry), registry);
    expect(failure).toBeUndefined();
    expect(status).toBe('completed');
    expect(text.split('\n')).toEqual(rows.map(({ a }) => `${a}+1 kg`));
  });

  it('writes to the log of the run', async () => {
    const registry = await withSum();
    const { events } = await run(rowsFlow([{ a: 1, b: 2 }], registry), registry);
    expect(events.filter(({ kind }) => kind === 'log')).toMatchObject([{ text: 'adding {"a":1,"b":2}' }]);
  });

  it('writes texts, other values and the start of long texts to the log', async () => {
    const body =
      "this.log('a', 1, undefined, { b: [2] }); this.log('x'.repeat(3_000)); this.log('x'.repeat(2e6)); return 1;";
    const { events } = await runCode(code(body));
    const texts = events.flatMap((event) => (event.kind === 'log' ? [event.text] : []));
    expect(texts).toEqual(['a 1 undefined {"b":[2]}', 'x'.repeat(1_000), 'A text of 2000000 characters']);
  });

  it('that throws names its line, and what to do', async () => {
    const registry = await withSum();
    const { status, failure } = await run(rowsFlow([{ a: 'x', b: 2 }], registry), registry);
    expect(status).toBe('failed');
    expect(failure?.message).toBe('SumNumbers, line 24: TypeError: a is not a number');
    expect(failure?.fix).toBe('Change line 24 of the code, or the inputs.');
  });

  it.each([
    ['throw 7;', 'Own: 7'],
    ['throw null;', 'Own: The component threw a value that is not an error.'],
    ["throw { code: 7, toString: () => 'text' };", 'Own: The component threw a value that is not an error.'],
    ['throw Object.assign(new Error(), { message: 7 });', /^Own, line \d+: 7$/],
    ["throw new RangeError('x'.repeat(3_000));", /^Own, line \d+: RangeError: x{1000}$/],
    ["throw new Error('x'.repeat(2_000_000));", /^Own, line \d+: A text of 2000000 characters$/],
    [
      "throw { get message() { throw new Error('inner'); } };",
      'Own: The component threw a value that is not an error.',
    ],
  ])('names what it threw: %s', async (body, message) => {
    const { failure } = await runCode(code(`${body} return 1;`));
    if (typeof message === 'string') expect(failure?.message).toBe(message);
    else expect(failure?.message).toMatch(message);
  });

  it('that waits in the text of an error ends in its time', async () => {
    const { failure } = await withReplaced(ROW_LIMITS, { timeMs: 500 }, () =>
      runCode(code('throw { get message() { for (;;); } }; return 1;')),
    );
    expect(failure?.message).toBe(
      'Own: The component did not end within 500 ms. Check its loops and regular expressions.',
    );
  });

  it('can be cancelled while it loops for ever', async () => {
    const abort = new AbortController();
    setImmediate(() => abort.abort());
    const { status } = await runCode(code('this.log("x"); for (;;) {} return 1;'), {}, abort.signal);
    expect(status).toBe('cancelled');
  });

  it.each([
    ["['Message']", 'return 7;', { text: '7' }],
    ["['Message']", "return { text: 'x' };", { text: 'x' }],
    ["['Data']", 'return { a: [1, null] };', { a: [1, null] }],
    ["['Table']", 'return [{ a: 1 }];', [{ a: 1 }]],
    ["['Any']", 'return [1, 2];', [1, 2]],
  ])('gives a value of the type %s for: %s', async (types, body, expected) => {
    const { outputs } = await runCode(code(body, types));
    expect(outputs['C-1']).toEqual({ result: expected });
  });

  it.each([
    ["['Message']", 'return { a: 1 };', "Own: output 'result' gave an object, and must be a text."],
    ["['Data']", 'return [1];', "Own: output 'result' gave a list, and must be an object."],
    ["['Table']", 'return [1];', "Own: output 'result' must be a list of objects."],
    ["['Any']", 'return 1n;', 'Own: TypeError: '],
  ])('that gives a value of another type than %s fails: %s', async (types, body, message) => {
    expect((await runCode(code(body, types))).failure?.message).toContain(message);
  });

  it('gets texts as texts, and other inputs as JSON', async () => {
    const { outputs } = await runCode(code('return [typeof this.value, this.value];'), { value: { a: 1 } });
    expect(outputs['C-1']).toEqual({ result: ['object', { a: 1 }] });
  });

  it('without a value for an output leaves out what follows', async () => {
    const { outputs, status } = await runCode(code('if (this.value) return 1;'));
    expect(status).toBe('completed');
    expect(outputs['C-1']).toEqual({});
  });

  it('may give all outputs from run()', async () => {
    const source = `class Both extends Component {
      outputs = [{ name: 'one' }, { name: 'two' }];
      run() { return { one: 1, two: 2 }; }
    }`;
    expect((await runCode(source)).outputs['C-1']).toEqual({ one: 1, two: 2 });
  });
});

describe('stored components', () => {
  it('come after built-in ones, and broken ones are left out with a reason and a line', async () => {
    const { registry, leftOut } = await withStoredComponents(builtins, [
      stored('ChatInput', SUM.replaceAll('SumNumbers', 'ChatInput')),
      stored('Broken', 'export class Broken extends Component {\n  outputs = [;\n}'),
      stored('Other', SUM),
      stored('Evil', SUM.replaceAll('SumNumbers', 'Evil').replace("'a is not", "process.env.A + 'a is not")),
      stored('SumNumbers', SUM),
    ]);
    expect(leftOut.map(({ className }) => className)).toEqual(['ChatInput', 'Broken', 'Other', 'Evil']);
    expect(leftOut[0]?.reason).toBe('A built-in component has the same name.');
    expect(leftOut[1]?.reason).toMatch(/^Line 2 of the code: /);
    expect(leftOut[2]?.reason).toBe("The file's class is called SumNumbers.");
    expect(leftOut[3]?.reason).toBe(
      'Line 24 of the code: process is forbidden in components: use an input for settings and secrets.',
    );
    expect(registry.get('ChatInput')).toBe(builtins.get('ChatInput'));
    expect(registry.get('SumNumbers')?.descriptor.category).toBe('custom');
    expect(registry.entries).toHaveLength(builtins.entries.length + 1);
  });
});

describe('the code of a flow', () => {
  it('is scanned before the flow runs: findings name node, line and a fix', async () => {
    const flow = flowOf(node({ values: { code: code("\n    return require('fs');") } }));
    const { findings } = await withFlowCode(builtins, flow);
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'wrong_value',
        node: 'C-1',
        field: 'code',
        message: 'C-1: Line 6 of the code: Use of require() is forbidden in components.',
        fix: 'Use inputs, outputs and the components of Croft for files, requests and secrets.',
      },
    ]);
  });

  it('is scanned again by the run itself', async () => {
    const flow = flowOf(node({ values: { code: code('return eval("1");') } }));
    const { status, failure } = await run(flow, builtins);
    expect(status).toBe('failed');
    expect(failure?.message).toBe('Line 5 of the code: Use of eval() is forbidden in components.');
  });

  it('makes a component of a type that is unknown here', async () => {
    const flow = flowOf(node({ type: 'Imported', code: code('return "imported";') }));
    const { registry, findings } = await withFlowCode(builtins, flow);
    expect([...findings, ...validateFlow(flow, registry)]).toEqual([]);
    expect((await run(flow, registry)).outputs['C-1']).toEqual({ result: 'imported' });
  });

  it('does not replace a built-in component that cannot be edited', async () => {
    const flow = flowOf(node({ type: 'JSONQuery', code: code('return 1;') }));
    const { findings } = await withFlowCode(builtins, flow);
    expect(findings).toMatchObject([{ node: 'C-1', severity: 'error' }]);
  });

  it('decides ports and values of its node, also where others of the type have other code', async () => {
    const two = code('return 2;').replaceAll("'result'", "'other'");
    const flow = flowOf(
      node({ type: 'Mine', code: code('return 1;') }),
      node({ id: 'C-2', type: 'Mine', code: two }),
      node({ id: 'C-3', type: 'SumNumbers', code: two }),
    );
    const { registry, findings } = await withFlowCode(await withSum(), flow);
    expect(findings).toEqual([]);
    const { outputs } = await run(flow, registry);
    expect(outputs).toEqual({ 'C-1': { result: 1 }, 'C-2': { other: 2 }, 'C-3': { other: 2 } });
  });

  it('says where a JSON value differs from the schema of its input', async () => {
    const schema = "{ type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }";
    const source = code('return 1;').replace("'json'", `'json', schema: ${schema}`);
    const faultsOf = async (value: Json) => {
      const flow = flowOf(node({ values: { code: source, value } }));
      const { registry } = await withFlowCode(builtins, flow);
      return validateFlow(flow, registry).map(({ field, message }) => `${field}: ${message}`);
    };
    expect(await faultsOf({ size: 1 })).toEqual([]);
    expect(await faultsOf({ size: 'L' })).toEqual(["value: 'value' of C-1 must have a whole number at 'size'."]);
    expect(await faultsOf({})).toEqual(["value: 'value' of C-1 needs 'size'."]);
  });

  it('runs at once with the sample of a new node', async () => {
    const flow = flowOf(node({ values: { value: 'abc' } }));
    const { outputs } = await run(flow, builtins);
    expect(outputs['C-1']).toEqual({ result: { text: 'ABC' } });
  });
});

describe('a source', () => {
  it.each([
    ['', 'syntax', 0, 'The code is empty.'],
    ['export class Own extends Component {\n  outputs = [;\n}', 'syntax', 2, 'Unexpected token'],
    ['const a = 1;', 'ports', 0, 'Could not extract class name from code'],
    ['class Own extends Component {\n  run() { return 1; }\n}', 'ports', 1, 'The class has no outputs.'],
    [code('return 1;').replace("[{ name: 'value'", 'PORTS'), 'syntax', 2, 'Unexpected token'],
    [code('return 1;').replace("'json'", 'kind()'), 'ports', 2, "'inputs' must be a list of literals"],
    [code('return 1;').replace("name: 'value'", "...other, name: 'x'"), 'ports', 2, 'must be a list of literals'],
    [
      code('return 1;').replace("'json'", "'json', schema: { items: { type: 'map' } }"),
      'ports',
      2,
      "The schema of 'value' has a type that is not object",
    ],
    [
      code('return 1;').replace("'json'", "'json', schema: { pattern: 'a' }"),
      'ports',
      2,
      "The schema of 'value' uses 'pattern'. Use only: type, enum",
    ],
    [code('return 1;').replace("'json'", "'unheard'"), 'ports', 2, '"unheard" of input \'value\' is not a kind'],
    [code('return 1;', "['LanguageModel']"), 'ports', 3, '"LanguageModel" of \'result\' is not a port type'],
    [code('return 1;').replace("'value'", "'constructor'"), 'ports', 2, "The name 'constructor'"],
    [
      code('return 1;').replace("'result'", "'component_as_tool'"),
      'ports',
      3,
      "The name 'component_as_tool' of outputs[0]",
    ],
    [code('return 1;').replace("'value'", "'result'"), 'ports', 1, "overlapping names: {'result'}"],
    [code('this.log(1);'), 'ports', 4, "Output method 'build' does not have a return statement with a value"],
    [code('[1].map(() => { return 1; });'), 'ports', 4, "Output method 'build' does not have a return statement"],
    [code('return 1;').replace('async build', 'async other'), 'ports', 1, "Output method 'build' is not a method"],
    [code('return 1;').replaceAll('Own', `A${'b'.repeat(64)}`), 'ports', 1, 'class_name length 65 exceeds max 64'],
    [code('return 1;').replaceAll('Own', 'own'), 'ports', 1, 'Could not extract class name from code'],
    [`//${'x'.repeat(1024 * 1024)}\n${code('return 1;')}`, 'syntax', 0, 'exceeds limit of 1048576 bytes'],
  ])('is refused with a line: %#', async (source, kind, line, message) => {
    const read = await readComponent(source);
    const [problem] = read.ok ? [] : read.problems;
    expect(problem).toMatchObject({ kind, line });
    expect(problem?.message).toContain(message);
  });

  it.each([
    ['a name of its own', code('const process = (each) => each; return process(1);')],
    ['a property', code('return { process: 1, module: 2 }.process;')],
    ['the name of its class', code('return this.constructor.name;')],
    ['a regular expression and dates', code('return [/a+/.test("a"), new Date(0).getTime()];')],
    ['an enum', `enum Kind { A, B }\n${code('return Kind.B;')}`],
    ['generics and satisfies', code('const f = <T,>(x: T): T => x; return f<number>(1) satisfies number;')],
  ])('may use %s', async (_, source) => {
    expect((await readComponent(source)).ok).toBe(true);
    expect((await runCode(source)).status).toBe('completed');
  });
});
