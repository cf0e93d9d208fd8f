import { Parser } from 'acorn';
import { describe, expect, it } from 'vitest';
import { readProgram } from './read-program.ts';

function read(source: string) {
  const program = Parser.parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
  });
  return readProgram(program, source);
}
const isOpen = (source: string) => read(source).isOpen;

describe('a literal call', () => {
  it('has its name and its arguments, in the order of the source', () => {
    expect(
      read('tools.a({ x: 1 }); await tools["b"](`t`); f(tools.c(), tools.d(7), tools.e(["x"]), tools.g(null))'),
    ).toEqual({
      calls: [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: 't', isText: true },
        { name: 'c', arguments: {} },
        { name: 'd', arguments: { value: 7 } },
        { name: 'e', arguments: { value: ['x'] } },
        { name: 'g', arguments: { value: null } },
      ],
      isOpen: false,
      isCalling: true,
    });
  });

  it('does not count as another call', () => {
    expect(read('tools.a()')).toEqual({ calls: [{ name: 'a', arguments: {} }], isOpen: false, isCalling: false });
    expect(
      ['1 + 1', 'f()', 'new F()', 'f`x`', 'import "x"', 'export default 1'].map((source) => read(source).isCalling),
    ).toEqual([false, true, true, true, true, true]);
  });

  it.each([
    'tools?.a()',
    'tools.a?.()',
    'tools.a({}, {})',
    'other.a()',
    'tools[a]()',
    'tools.a(b)',
    'a()',
    '(0, tools.a)()',
    'class A { #a; f(tools) { tools.#a() } }',
  ])('is not: %s', (source) => {
    expect(read(source).calls).toEqual([]);
  });

  it('leaves the program open if its name changes what other code does', () => {
    expect(isOpen('tools.constructor()')).toBe(true);
  });
});

describe('a program is open', () => {
  it.each([
    'tools',
    'eval',
    'Function',
    'globalThis',
    'process',
    'require',
    'Reflect',
    'setTimeout',
    'WebAssembly',

    'this',
    'class A extends B {}',
    'class A { f() { super.f() } }',
    'import("x")',
    'import.meta',
    'export default 1',
    'a.constructor',
    'a[b]',
    'a["prototype"]',
    'a.__proto__',
    '({ toJSON: 1 })',
    '({ [a]: 1 })',
    'class A { toJSON() {} }',
    'class A { [a] = 1 }',
    'class A { constructor() {} }',

    'undefined = 1',
    'Promise++',
    'for (undefined of x);',
    'for (a.b in x);',
    'a.b = 1',
    '[a.b] = x',
    '({ x: Promise } = y)',
    '({ ...Promise } = y)',
    '[undefined = 1] = x',
    'let Promise',
    'function undefined_() {} function Promise() {}',
    '((undefined) => 1)',
    '(function Promise() {})',
    'try {} catch (Promise) {}',
    'class Promise {}',
    'await /x/',
    'setTimeout(x)',
    'setTimeout("x")',
    'setTimeout?.(() => 1)',
    'setInterval(f, 1)',

    'new Promise((r) => setTimeout(x, 1))',
    'new Promise((r, s) => setTimeout(r, 1))',
    'new Promise(([r]) => setTimeout(r, 1))',

    'new Promise((r) => setTimeout(r, eval))',
    'new Promise((r) => { setTimeout(r, 1) })',
    'new Other((r) => setTimeout(r, 1))',

    'new Promise((r) => setTimeout(r, 1), 2)',
    'new Promise((undefined) => setTimeout(undefined, 1))',
    'f(...tools)',
  ])('with %s', (source) => {
    expect(isOpen(source)).toBe(true);
  });
});

describe('a program is not open', () => {
  it.each([
    'a.b.c',
    'a["b"]',
    '({ process: 2 })',
    '({ module: a }) ',
    'class A { module() {} }',
    'class A { #x; f() { return this_.#x } }',
    'a = 1',
    'a++',
    'for (a of b);',
    'for (const a in b);',
    'let { a, ...b } = c',
    '[a, [b]] = c',
    'let [a = 1] = b',

    '(a, { b }, ...c) => a',
    'function f(a) { return a }',
    'try {} catch { } ',
    'try {} catch (e) {}',
    'class A {}',
    'await a',
    'setTimeout(() => f(), 1)',
    'setTimeout(function () {}, 1)',
    'new Promise((r) => setTimeout(r, 1))',
    'new Promise((resolve, reject) => resolve(1))',
    'undefined',
    'Promise.all([a])',
    '`${a}`',
    'a / b',
  ])('with %s', (source) => {
    expect(isOpen(source)).toBe(false);
  });
});
