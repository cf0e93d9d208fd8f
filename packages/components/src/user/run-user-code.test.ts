import type { NodeCall } from '@croft/flow';
import { afterAll, describe, expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { callOf, drain } from '../testing.ts';
import { fixOf, placed, runUserCode, unusable } from './run-user-code.ts';
import { closeSandbox } from './sandbox-threads.ts';

afterAll(closeSandbox);
const source = (outputs: string, members: string) =>
  `export class Own extends Component {\n  inputs = [{ name: 'value', kind: 'text' }];\n  outputs = [${outputs}];\n  ${members}\n}`;
const R = "{ name: 'r', types: ['TYPE'], method: 'm' }";

async function run(text: string, inputs: object = {}, more: Partial<NodeCall<Services>> = {}, properties?: object) {
  const abort = new AbortController();
  const call = callOf({ ...inputs }, {}, { wanted: new Set(['r']), signal: abort.signal, ...more });
  try {
    return await drain(runUserCode(text, call, { ...properties }));
  } finally {
    abort.abort();
  }
}
const gives = async (type: string, value: string) =>
  (await run(source(R.replace('TYPE', type), `m() { return ${value}; }`))).outputs['r'];

describe('the code of a user', () => {
  it('gets its inputs and further properties, and gives its outputs and log lines', async () => {
    const text = source(R.replace('TYPE', 'Message'), 'm() { this.log("note"); return this.value + this.round; }');
    expect(await run(text, { value: 'a' }, {}, { round: 3 })).toEqual({
      outputs: { r: { text: 'a3' } },
      progress: [{ kind: 'log', text: 'note' }],
    });
  });

  it('computes only the wanted outputs, or all of them in one method', async () => {
    const two = source(
      "{ name: 'r', types: ['Data'], method: 'm' }, { name: 's', types: ['Data'], method: 'n' }",
      'm() { return { a: 1 }; }\n n() { throw new Error("computed"); return 1; }',
    );
    expect((await run(two)).outputs).toEqual({ r: { a: 1 } });
    const all = source(
      "{ name: 'r', types: ['Data'] }, { name: 's', types: ['Data'] }",
      'run() { return { r: { a: 1 }, s: { b: 2 } }; }',
    );
    expect((await run(all)).outputs).toEqual({ r: { a: 1 }, s: { b: 2 } });
    expect((await run(all.replace('s: { b: 2 }', 's: null'))).outputs).toEqual({ r: { a: 1 } });
  });

  it.each<[string, string, unknown]>([
    ['Message', '"a"', { text: 'a' }],
    ['Message', '7', { text: '7' }],
    ['Message', '({ text: "a", b: 1 })', { text: 'a', b: 1 }],
    ['Data', '({ a: 1 })', { a: 1 }],
    ['File', '({ path: "a" })', { path: 'a' }],
    ['Table', '[{ a: 1 }]', [{ a: 1 }]],
    ['Any', '[1]', [1]],
  ])('gives a %s by %s', async (type, value, expected) => {
    expect(await gives(type, value)).toEqual(expected);
  });

  it.each([
    ['Message', '({})', "Own: output 'r' gave an object, and must be a text."],
    ['Message', '[1]', "Own: output 'r' gave a list, and must be a text."],
    ['Data', '"a"', "Own: output 'r' gave a string, and must be an object."],
    ['Table', '[1]', "Own: output 'r' must be a list of objects."],
    ['Table', '7', "Own: output 'r' gave a number, and must be a list of objects."],
  ])('may not give a %s by %s', async (type, value, message) => {
    await expect(gives(type, value)).rejects.toMatchObject({
      message,
      fix: 'Change what the methods return, or the types of the outputs.',
    });
  });

  it('may not give outputs that it does not declare', async () => {
    const all = (value: string) => run(source("{ name: 'r', types: ['Data'] }", `run() { return ${value}; }`));
    await expect(all('({ x: 1 })')).rejects.toThrow("Own: there is no output 'x'. Outputs: r.");
    await expect(all('[1]')).rejects.toThrow('Own: run() must return an object with the outputs by name.');
  });
});

describe('a failure', () => {
  const method = (body: string) => run(source(R.replace('TYPE', 'Data'), `m() { ${body} return {}; }`));

  it('names the class, the line and what to do', async () => {
    await expect(method('throw new Error("no");')).rejects.toMatchObject({
      message: 'Own, line 4: no',
      fix: 'Change line 4 of the code, or the inputs.',
    });
    await expect(method('throw "no";')).rejects.toMatchObject({
      message: 'Own: no',
      fix: 'Change the code, or the inputs.',
    });
    await expect(
      method('throw Object.assign(new Error("no"), { name: "ComponentError", fix: "mend" });'),
    ).rejects.toMatchObject({ fix: 'mend' });
    await expect(method('return new Promise(() => {});')).rejects.toMatchObject({
      fix: 'Change what the methods return.',
    });
    await expect(method('const a = []; for (;;) a.push(new Uint8Array(1e6));')).rejects.toMatchObject({
      fix: 'Keep less in memory, or give the component fewer rows at once.',
    });
  });

  it('of the source is found before it runs', async () => {
    await expect(run('export class')).rejects.toMatchObject({
      message: expect.stringMatching(/^Line 1 of the code: .*[^.]\.$/) as string,
      fix: 'Change line 1.',
    });
  });

  it('of inputs that are too large', async () => {
    const text = source(R.replace('TYPE', 'Data'), 'm() { return {}; }');
    await expect(run(text, { value: 'x'.repeat(16 * 1024 * 1024) })).rejects.toMatchObject({
      message: 'The inputs of Own are larger than 16777216 characters as JSON.',
      fix: 'Give the component rows one by one, through a loop.',
    });
  });
});

it('keeps the rows of one node in one session until the run ends', async () => {
  const abort = new AbortController();
  const services: Services = { now: () => new Date() };
  const text = source(R.replace('TYPE', 'Message'), 'm() { return "a"; }');
  const row = (code: string) =>
    drain(runUserCode(code, callOf({}, {}, { services, wanted: new Set(['r']), signal: abort.signal })));
  expect((await row(text)).outputs).toEqual((await row(text)).outputs);
  expect((await row(text.replace('"a"', '"b"'))).outputs).toEqual({ r: { text: 'b' } });
  abort.abort(new Error('stop'));
  await expect(row(text)).rejects.toThrow('stop');
});

it('describes problems of a source', () => {
  const problem = { kind: 'syntax', line: 3, column: 1, message: 'It is wrong.' } as const;
  expect([placed(problem), placed({ ...problem, line: 0 })]).toEqual([
    'Line 3 of the code: It is wrong',
    'It is wrong',
  ]);
  expect([fixOf(problem), fixOf({ ...problem, line: 0 })]).toEqual(['Change line 3.', 'Change the code.']);
  expect(fixOf({ ...problem, kind: 'forbidden' })).toContain('Use inputs, outputs and the components of Croft');
  expect(unusable([problem])).toMatchObject({ message: 'Line 3 of the code: It is wrong.', fix: 'Change line 3.' });
  expect(unusable([])).toMatchObject({ message: 'The code cannot be used.', fix: 'Write it again.' });
});
