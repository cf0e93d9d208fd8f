import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describe as describeThrown, lengthOf, textOf } from './thrown.ts';

let context: QuickJSContext;
beforeAll(async () => {
  context = (await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant)).newContext();
});
afterAll(() => context.dispose());
const value = (source: string) => context.unwrapResult(context.evalCode(source));
const thrown = (source: string) => describeThrown(context, value(source));

it('reads the texts of an error, up to a length', () => {
  expect(thrown("Object.assign(new TypeError('no'), { fix: 'mend', stack: 'at x' })")).toEqual({
    name: 'TypeError',
    message: 'no',
    stack: 'at x',
    fix: 'mend',
  });
  const long = thrown(
    "({ name: 'n'.repeat(200), message: 'm'.repeat(2000), stack: 's'.repeat(9000), fix: 'f'.repeat(2000) })",
  );
  expect(Object.values(long).map((text) => text.length)).toEqual([100, 1_000, 4_000, 1_000]);
  expect(thrown('({ name: {}, message: 7 })')).toEqual({ name: '', message: '7', stack: '', fix: '' });
});

it('reads another value as a message', () => {
  expect(thrown("'no'")).toEqual({ name: '', message: 'no', stack: '', fix: '' });
  expect(thrown('undefined').message).toBe('');
});

it('converts only primitive values, and copies no long text', () => {
  const text = (source: string, max = 10) => value(source).consume((each) => textOf(context, each, max));
  expect([text("'abc'"), text("'abcdef'", 3), text('7'), text('true'), text('8n')]).toEqual([
    'abc',
    'abc',
    '7',
    'true',
    '8',
  ]);
  expect([text('({ toString() { return "x" } })'), text('[1]'), text('null'), text('(() => 1)')]).toEqual([
    '',
    '',
    '',
    '',
  ]);
  expect(text("'a'.repeat(1000001)")).toBe('A text of 1000001 characters');
  expect(text("'a'.repeat(1000000)", 2)).toBe('aa');
  expect(value("'abc'").consume((each) => lengthOf(context, each))).toBe(3);
  expect(value('12345').consume((each) => lengthOf(context, each))).toBeNaN();
});
