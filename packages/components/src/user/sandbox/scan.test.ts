import { parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import { eachNode, NO_PLACE, placeOf, scanProgram } from './scan.ts';

const parsed = (source: string) => parse(source, { ecmaVersion: 2023, sourceType: 'module', locations: true });
const messages = (source: string) => scanProgram(parsed(source)).map(({ message }) => message);

describe('a component may not', () => {
  it.each([
    ['eval(x)', 'Use of eval() is forbidden in components'],
    ['const e = eval', 'Use of eval is forbidden in components'],
    ['new Function(x)', 'Use of Function is forbidden in components'],
    ['globalThis.x', 'Use of globalThis is forbidden in components'],
    ['process.env', 'process is forbidden in components: use an input for settings and secrets'],
    ['require(x)', 'Use of require() is forbidden in components'],
    ['window.x', 'Use of window is forbidden in components'],
    ['a = { x: process }', 'process is forbidden in components: use an input for settings and secrets'],
    ['a[process]', 'process is forbidden in components: use an input for settings and secrets'],
    ['import x from "y"', "Import of 'y' is forbidden in components"],
    ['export * from "y"', "Import of 'y' is forbidden in components"],
    ['export { x } from "y"', "Import of 'y' is forbidden in components"],
    ['import(x)', 'Use of import() is forbidden in components'],
    ['import.meta.url', 'Use of import.meta is forbidden in components'],
    ['debugger', 'Use of debugger is forbidden in components'],
    ['a.__proto__', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['a["__pro" + "to__"]', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['a[`__proto__`]', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['a.__defineGetter__', "Access to '__defineGetter__' is forbidden in components (sandbox escape)"],
    ['x = { __proto__: 1 }', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['x = { ["__proto__"]: 1 }', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['class A { __proto__ = 1 }', "Access to '__proto__' is forbidden in components (sandbox escape)"],
    ['Object.setPrototypeOf(a, b)', 'Use of setPrototypeOf() is forbidden in components (sandbox escape)'],
    ['a.constructor(b)', "Access to 'constructor' is forbidden in components (sandbox escape)"],
    ['new a.constructor(b)', "Access to 'constructor' is forbidden in components (sandbox escape)"],
    ['a["constructor"]()', "Access to 'constructor' is forbidden in components (sandbox escape)"],
  ])('%s', (source, message) => {
    expect(messages(source)).toContain(message);
  });

  it.each(['importScripts', 'SharedArrayBuffer', 'WebAssembly'])('use %s, even where it declares the name', (name) => {
    expect(messages(`const ${name} = 1`)).toEqual([`Use of ${name} is forbidden in components`]);
  });

  it.each(
    'global window self module exports __dirname __filename Deno Bun std os Worker XMLHttpRequest WebSocket'.split(' '),
  )('use the global %s', (name) => {
    expect(messages(`${name}.x`)).toEqual([`Use of ${name} is forbidden in components`]);
    expect(messages(`const ${name} = 1; ${name}.x`)).toEqual([]);
  });

  it.each(['__proto__', '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'])(
    'use %s as a member, a property or a method',
    (name) => {
      const message = `Access to '${name}' is forbidden in components (sandbox escape)`;
      for (const source of [`a.${name}`, `a['${name}']`, `x = { '${name}': 1 }`, `class A { ${name}() {} }`])
        expect(messages(source)).toEqual([message]);
    },
  );

  it('reach a constructor through another one', () => {
    expect(messages('a.constructor.constructor')).toEqual([
      "Access to 'constructor' is forbidden in components (sandbox escape)",
    ]);
  });
});

describe('a component may', () => {
  it.each(
    [
      'a.constructor.name',
      'f(a.constructor)',
      'a.process',
      'x = { process: 1, eval: 2 }',
      'class A { window() {} }',
      'const process = 1; process + 1',
      'function f(window) { return window }',
      'const { self } = a; self',
      'try {} catch (global) { global }',
      'try {} catch {}',
      'class window {} window',
      'x = { ["a" - "b"]: 1, [__proto__]: 2, 3: 4 }',
      'class B { [__proto__] = 1; os = 2 }',
      'a[1]; a[`${b}`]; a[b + "to__"]; a["__pro" + b]; a["__proto__" - "x"]',
      'class C { #os = 1; f() { return this.#os } }',
      'function require() {} require()',
      'process: for (;;) {}',
      'a[b]',
      'a["b" + 1]',
      'export const x = 1; export { x as eval }',
    ].filter((source) => source !== 'new.target'),
  )('%s', (source) => {
    expect(messages(source)).toEqual([]);
  });

  it('not declare eval for itself', () => {
    expect(messages('function f() { return globalThis }')).toHaveLength(1);
  });
});

it('gives the place of each problem, from 1, in the order of the source', () => {
  expect(
    scanProgram(parsed('a;\n  eval(1); debugger;\nos.x')).map(({ kind, line, column }) => ({ kind, line, column })),
  ).toEqual([
    { kind: 'forbidden', line: 2, column: 3 },
    { kind: 'forbidden', line: 2, column: 12 },
    { kind: 'forbidden', line: 3, column: 1 },
  ]);
  expect(placeOf({} as never)).toBe(NO_PLACE);
  expect(NO_PLACE).toEqual({ line: 0, column: 0 });
});

it('visits every node with its parent, and none below one that is skipped', () => {
  const seen: string[] = [];
  eachNode(parsed('f(a); function g() { b }'), (node, parent) => {
    if (node.type === 'Identifier') seen.push(`${String(node['name'])} in ${parent?.type}`);
    return node.type === 'FunctionDeclaration' ? 'skip' : undefined;
  });
  expect(seen.toSorted()).toEqual(['a in CallExpression', 'f in CallExpression']);
});
