import { expect, it } from 'vitest';
import { componentTypes } from '../../../../scripts/component-types.mjs';
import { createTypeChecker } from './type-checker.ts';

const checker = createTypeChecker(await componentTypes());

const INPUTS =
  "{ name: 'value', label: 'Text', help: 'What is doubled.', kind: 'text', required: true }, { name: 'size', kind: 'number', default: 2 }";
const component = (body: string, inputs = INPUTS) => `import { toRows, type Row } from '@croft/component';

export class Sample extends Component {
  inputs = [${inputs}];
  outputs = [{ name: 'result', types: ['Any'], method: 'build' }];
  build() {
    ${body}
  }
}
`;
const problems = (code: string) => checker.check(code).map(({ line, message }) => `${line}: ${message}`);
const problemsOf = (body: string, inputs?: string) => problems(component(body, inputs));

it('finds nothing in code that fits its types', () => {
  expect(problemsOf('this.log(this.size); return this.value.toUpperCase().repeat(this.size);')).toEqual([]);
  expect(problemsOf('return toRows([1]).map((row: Row) => row.text).toSorted();')).toEqual([]);
  expect(
    problemsOf('const twice = (x) => x * 2; try { return twice(this.size); } catch (e) { return e.message; }'),
  ).toEqual([]);
  expect(problemsOf('const rows = []; for (const each of this.value) rows.push({ each }); return rows;')).toEqual([]);
});

it('names a wrong type at its line and place', () => {
  const code = component('return this.value * 2;');
  const [problem, ...others] = checker.check(code);
  expect(others).toEqual([]);
  expect(problem?.line).toBe(7);
  expect(problem?.message).toContain('arithmetic');
  expect(code.slice(problem?.from, problem?.to)).toBe('this.value');
});

it('names an input that is not declared', () => {
  expect(problemsOf('return this.valeu;')).toEqual([
    "7: Property 'valeu' does not exist on type 'Sample'. Did you mean 'value'?",
  ]);
  expect(problemsOf('return this.other;')).toEqual([
    "7: Property 'other' does not exist on type 'Sample'. The list inputs declares the inputs.",
  ]);
});

it('finds the inputs of the next text, and forgets those of the last one', () => {
  expect(problemsOf('return this.other;', "{ name: 'other', kind: 'switch' }")).toEqual([]);
  expect(problemsOf('return this.value;', "{ name: 'other', kind: 'switch' }")).toHaveLength(1);
});

it('knows classes of every form, and members that a class declares itself', () => {
  const members = "inputs = [{ name: 'value', kind: 'text', default: '' }]; outputs = [{ name: 'x', method: 'run' }];";
  const run = 'run() { return this.value.length; }';
  expect(problems(`class A extends Component { ${members} ${run} }`)).toEqual([]);
  expect(problems(`export default class A extends Component { ${members} ${run} }`)).toEqual([]);
  expect(problems(`export class A<T> extends Component { ${members} ${run} }`)).toEqual([]);
  expect(problems(`export class B {} export class A extends Component { ${members} ${run} }`)).toEqual([]);
  expect(problems(`export class A extends Component { ${members} value: string; ${run} }`)).toEqual([]);
  expect(problems(`export class A extends Component { ${members} value: unknown; ${run} }`)).toHaveLength(1);
  expect(
    problems(`export class A extends Component { inputs = [{ name: 'round', kind: 'text' }]; run() { return 1; } }`),
  ).toEqual([]);
});

it.each([
  ["kind: 'select', options: ['Yes', 'No']", '"Yes" | "No"'],
  ["kind: 'multiselect', options: ['Yes', 'No']", '("Yes" | "No")[]'],
  ["kind: 'switch'", 'boolean'],
  ["kind: 'slider'", 'number'],
  ["kind: 'number', accepts: ['Data']", 'any'],
  ["accepts: ['Message']", 'string'],
  ["accepts: ['Table']", 'Record<string, any>[]'],
  ["accepts: ['Table', 'Data']", 'any'],
  ["kind: 'handle', accepts: ['Message'], list: true", 'any[]'],
  ["kind: 'handle', accepts: ['Message']", 'Message'],
  ["kind: 'text', accepts: ['Data']", 'string'],
  ["kind: 'later'", 'any'],
])('an input with %s is of type %s', (declared, type) => {
  const code = component('return this.it;', `{ name: 'it', required: true, ${declared} }`);
  const shown = checker.inform(code, code.indexOf('this.it') + 'this.'.length)?.text;
  expect(shown?.replace(/import\([^)]*\)\./, '')).toBe(`(property) Sample.it: ${type}`);
});

it.each([
  ["kind: 'text'", 'string | undefined'],
  ["kind: 'number', required: true", 'number'],
  ["kind: 'number', default: 0", 'number'],
  ["kind: 'switch', value: false", 'boolean'],
  ["kind: 'text', default: null", 'string | undefined'],
  ["kind: 'text', required: true, showWhen: { field: 'mode', is: ['a'] }", 'string | undefined'],
])('an input with %s is of type %s where it has no value', (declared, type) => {
  const code = component('return this.it;', `{ name: 'it', ${declared} }`);
  const shown = checker.inform(code, code.indexOf('this.it') + 'this.'.length)?.text;
  expect(shown).toBe(`(property) Sample.it: ${type}`);
});

it('says what to do about an input that may have no value', () => {
  expect(problemsOf('return this.it.length;', "{ name: 'it', kind: 'text' }")).toEqual([
    "7: 'this.it' may be undefined, as an input without a value is: give it a default, or make it required.",
  ]);
  expect(problemsOf('return (this.it ?? "").length;', "{ name: 'it', kind: 'text' }")).toEqual([]);
});

it('says of names that other programs have that the sandbox has none', () => {
  expect(problemsOf('return fetch(process.env);')).toEqual([
    "7: Cannot find 'fetch': neither this code nor the sandbox has it.",
    "7: Cannot find 'process': neither this code nor the sandbox has it.",
  ]);
  expect(problemsOf('console.log(1); return 1;')).toEqual(['7: The sandbox has no console. Write this.log(…).']);
  expect(problems("import { readFileSync } from 'node:fs';")).toEqual([
    "1: A component imports from '@croft/component' only.",
  ]);
});

it('names errors of the syntax alone, also at the end of the text', () => {
  expect(problemsOf('return this.other +;')).toEqual(['7: Expression expected.']);
  expect(problems('class A {\n  b = `')).toEqual(['2: Unterminated template literal.']);
  expect(problems('/* open')).toEqual(["1: '*/' expected."]);
  expect(problems('')).toEqual([]);
});

it('completes the members of this, the functions of the module, and what they take', () => {
  const names = (code: string, at: number) => checker.complete(code, at).map(({ name }) => name);
  const member = component('return this.');
  expect(names(member, member.indexOf('this.') + 'this.'.length)).toEqual([
    'build',
    'inputs',
    'log',
    'outputs',
    'round',
    'size',
    'value',
  ]);
  const imported = "import {  } from '@croft/component';";
  expect(names(imported, 'import { '.length)).toEqual(
    expect.arrayContaining(['ComponentError', 'toText', 'OPERATORS']),
  );
  const free = component('');
  const globals = names(free, free.indexOf('build() {') + 'build() {'.length);
  expect(globals).toEqual(expect.arrayContaining(['toRows', 'Math', 'Component', 'const']));
  expect(globals).not.toContain('globalThis');
  expect(globals).not.toContain('document');
});

it('completes old names of the language last', () => {
  const code = component('return this.value.');
  const found = checker.complete(code, code.indexOf('this.value.') + 'this.value.'.length);
  const rankOf = (name: string) => found.find((each) => each.name === name)?.rank;
  expect(rankOf('slice')).toBeLessThan(rankOf('substr') as number);
});

it('shows the label and the help of an input, and the documentation of a function', () => {
  const code = component('return toRows(this.value);');
  const at = (text: string) => checker.inform(code, code.lastIndexOf(text));
  expect(at('value')?.about).toBe('Text: What is doubled.');
  expect(at('Sample')?.text).toBe('class Sample');
  expect(at('toRows')?.about).toMatch(/^A value as rows/);
  const completed = checker.inform(component('return this.'), component('return this.').indexOf('this.') + 5, 'log');
  expect(completed?.text).toContain('log(...values');
});
