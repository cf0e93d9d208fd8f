import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { PRELUDE } from './prelude.ts';

type Harness = (
  Class: unknown,
  inputs: string,
  outputs: string,
  log: (line: string) => void,
) => Promise<string | undefined>;
/** Runs a class in a new context; the sandbox does the same with QuickJS. */
async function run(members: string, outputs: object, inputs: object = {}) {
  const context = {};
  const harness = runInNewContext(PRELUDE, context) as Harness;
  const Class = runInNewContext(`(class extends Component { ${members} })`, context) as unknown;
  const lines: string[] = [];
  const result = await harness(Class, JSON.stringify(inputs), JSON.stringify(outputs), (line) => lines.push(line));
  return { result, lines };
}
const M = [{ name: 'r', method: 'm' }];

it('gives the outputs of methods as JSON, with the inputs as properties', async () => {
  expect((await run('m() { return this.a + 1; }', M, { a: 1 })).result).toBe('{"r":2}');
  expect(
    (await run('async m() { return [this.a]; } n() {}', [...M, { name: 's', method: 'n' }], { a: 1 })).result,
  ).toBe('{"r":[1]}');
  expect((await run('a = 1; m() { return this.a; }', M, { a: 2 })).result).toBe('{"r":2}');
  expect((await run('', [])).result).toBe('{}');
});

it('takes all outputs from one method where none is named', async () => {
  expect((await run('async run() { return { r: 1, s: 2 }; }', [{ name: 'r' }])).result).toBe('{"r":1,"s":2}');
  expect((await run('run() {}', [{ name: 'r' }])).result).toBeUndefined();
});

it('logs values on one line, objects as JSON', async () => {
  const { lines } = await run('m() { this.log("a", { b: 1 }, undefined, 7); this.log(); }', M);
  expect(lines).toEqual(['a {"b":1} undefined 7', '']);
});

it('does not let a component replace its class for others', () => {
  const context = {};
  runInNewContext(PRELUDE, context);
  expect(runInNewContext('"use strict"; try { Component = 1; "changed" } catch { "kept" }', context)).toBe('kept');
});
