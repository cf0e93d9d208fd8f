import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { describe, expect, it } from 'vitest';
import { createTypeChecker } from '../../apps/studio/src/code-types/type-checker.ts';
import { builtinSource, libraryOf } from '../../packages/components/src/editable/sources.ts';
import { PRELUDE } from '../../packages/components/src/user/sandbox/prelude.ts';
import { readSource } from '../../packages/components/src/user/sandbox/read-source.ts';
import { componentTypes } from '../../scripts/component-types.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const checker = createTypeChecker(await componentTypes());
const problems = (code: string) => checker.check(code).map(({ line, message }) => `${line}: ${message}`);

/** The value of an expression in a context of the sandbox. */
async function inSandbox<Value>(expression: string, library = ''): Promise<Value> {
  const module = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  const context = module.newContext();
  context.unwrapResult(context.evalCode(PRELUDE)).dispose();
  context.unwrapResult(context.evalCode(library)).dispose();
  const result = context.unwrapResult(context.evalCode(`JSON.stringify(${expression})`));
  const text = context.getString(result);
  result.dispose();
  context.dispose();
  return JSON.parse(text) as Value;
}

const component = (body: string) => `export class Sample extends Component {
  outputs = [{ name: 'result', method: 'build' }];
  build() {
    ${body}
  }
}`;
const isAllowed = (code: string) => readSource(code).ok;

describe('the types of the code editor', () => {
  it('have the globals of the sandbox that components may use, and no others', async () => {
    const globals = await inSandbox<string[]>('Object.getOwnPropertyNames(globalThis)');
    expect(globals.length).toBeGreaterThan(50);
    // QuickJS has it; the declarations of TypeScript do not.
    const unknown = new Set(['InternalError']);
    const allowed = globals.filter((name) => isAllowed(component(`return ${name};`)) && !unknown.has(name));
    expect(allowed).toEqual(expect.arrayContaining(['Iterator', 'Map', 'parseInt', 'Component']));
    expect(problems(component(`return [${allowed.join(', ')}];`))).toEqual([]);
    const others = [...globals.filter((name) => !allowed.includes(name)), 'Intl', 'Atomics', 'console', 'setTimeout'];
    expect(others).toEqual(expect.arrayContaining(['eval', 'Function', 'globalThis', 'SharedArrayBuffer']));
    const found = others.filter((name) => problems(component(`return ${name};`)).length === 0);
    // The compiler always has it; the server refuses it.
    expect(found).toEqual(['globalThis']);
  });

  it('have the methods of the engine, and no later ones', async () => {
    const values = [
      "''",
      '[]',
      'new Map()',
      'new Set()',
      'new Date()',
      '/a/',
      'Promise.resolve()',
      'Object',
      'Math',
      'Promise',
      'JSON',
    ];
    for (const value of values) {
      const code = component(`const value = ${value}; return value.`);
      const offered = checker.complete(code, code.lastIndexOf('value.') + 'value.'.length).map(({ name }) => name);
      expect(offered.length).toBeGreaterThan(1);
      const missing = await inSandbox<string[]>(
        `${JSON.stringify(offered)}.filter((name) => !(name in Object(${value})))`,
      );
      expect([value, missing]).toEqual([value, []]);
    }
  });

  it('have the members of the class that components extend', async () => {
    const code = component('return this.');
    const offered = checker.complete(code, code.indexOf('this.') + 'this.'.length).map(({ name }) => name);
    const inherited = offered.filter((name) => !['build', 'outputs'].includes(name));
    const own = await inSandbox<string[]>('Object.getOwnPropertyNames(Component.prototype)');
    // The run of an edited built-in component sets it.
    expect(inherited.toSorted()).toEqual([...own.filter((name) => name !== 'constructor'), 'round'].toSorted());
  });

  it('have what a component can import, and nothing that the sandbox lacks', async () => {
    const code = "import {  } from '@croft/component';";
    const names = checker.complete(code, 'import { '.length).map(({ name }) => name);
    const types = ['Component', 'Message', 'Row', 'type'];
    const functions = names.filter((name) => !types.includes(name));
    expect(functions).toEqual(expect.arrayContaining(['TextFinder', 'fillVariables', 'toRows']));
    const missing = await inSandbox(
      `[${functions.map((name) => `typeof ${name}`).join(', ')}].indexOf('undefined')`,
      libraryOf(functions),
    );
    expect(missing).toBe(-1);
    const text = readFileSync(`${ROOT}packages/components/src/editable/component.ts`, 'utf8');
    const exported = [...text.matchAll(/export \{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
    const declared = exported.map((name) => name.replace('type ', '').trim()).filter((name) => name !== '');
    expect(names.filter((name) => !['type', 'Component'].includes(name)).toSorted()).toEqual(declared.toSorted());
  });

  it('find nothing in the built-in components that can be edited', () => {
    const sources = readdirSync(`${ROOT}packages/components/src/editable`).flatMap((file) => {
      const text = readFileSync(`${ROOT}packages/components/src/editable/${file}`, 'utf8');
      return builtinSource(/^export class (\w+) extends Component/m.exec(text)?.[1] ?? '') ?? [];
    });
    expect(sources.length).toBeGreaterThan(18);
    expect(sources.flatMap(problems)).toEqual([]);
  });
});
