import { expect, it } from 'vitest';
import { inputTypes } from './input-types.ts';

const typeOf = (input: string) =>
  /\nv: (.*);\n/.exec(inputTypes(`class A extends Component { inputs = [{ name: 'v', ${input} }] }`))?.[1];

it.each([
  ["kind: 'text', required: true", 'string'],
  ["kind: 'text'", 'string | undefined'],
  ["kind: 'text', default: ''", 'string'],
  ["kind: 'text', default: null", 'string | undefined'],
  ["type: 'int', value: 1", 'number'],
  ["kind: 'switch', default: false", 'boolean'],
  ["kind: 'table', required: true", 'Record<string, any>[]'],
  ["kind: 'dict', required: true", 'Record<string, any>'],
  ["kind: 'file', required: true", 'string'],
  ["kind: 'toString', required: true", 'any'],
  ["kind: 'json', required: true", 'any'],
  ["kind: 'select', required: true", 'any'],
  ["kind: 'string', required: true", 'string'],
  ["type: 'str', required: true", 'string'],
  ["kind: 'multiline', required: true", 'string'],
  ["kind: 'number', required: true", 'number'],
  ["kind: 'float', required: true", 'number'],
  ["kind: 'integer', required: true", 'number'],
  ["kind: 'slider', required: true", 'number'],
  ["kind: 'boolean', required: true", 'boolean'],
  ["kind: 'bool', required: true", 'boolean'],
  ["kind: 'key-value', required: true", 'Record<string, any>'],
  ["kind: 'number', type: 'text', required: true", 'number'],
  ["kind: 'text', default: null, required: true", 'string'],
  ["kind: 'text', value: null", 'string | undefined'],
  ["kind: 'text', required: false", 'string | undefined'],
  ["kind: 'number', list: false, is_list: false, required: true", 'number'],
  ["required: true, showWhen: { x: 1 }, default: 'a'", 'string'],
  ["kind: 'number', list: true, required: true", 'any[]'],
  ["kind: 'number', is_list: true, required: true", 'any[]'],
  ["required: true, showWhen: { x: 1 }, kind: 'text'", 'string | undefined'],
  ['required: true', 'string'],
])('gives an input with %s the type %s', (input, type) => {
  expect(typeOf(input)).toBe(type);
});

it.each([
  ["accepts: ['Data'], required: true", 'Record<string, any>'],
  ["accepts: 'Table', required: true", 'Record<string, any>[]'],
  ["input_types: ['File'], required: true", '{ path: string; version: string; type?: string }'],
  ["accepts: ['Message'], kind: 'handle', required: true", "import('@croft/component').Message"],
  ["accepts: ['Data', 'Table'], required: true", 'any'],
  ["accepts: ['Message'], required: true", 'string'],
  ["accepts: ['Message'], kind: 'number', required: true", 'any'],
  ["accepts: ['Message'], kind: 'file', required: true", 'any'],
  ["accepts: ['Message'], kind: 'multiline', required: true", 'string'],
  ["accepts: ['Message'], kind: 'str', required: true", 'string'],
  ["accepts: ['Message', 'Data'], required: true", 'string'],
  ["accepts: ['Image'], required: true", 'any'],
  ["kind: 'handle', required: true", 'any'],
  ["kind: 'number', accepts: [], required: true", 'number'],
  ['accepts: [], required: true', 'any'],
  ["accepts: ['Data'], input_types: ['Table'], required: true", 'Record<string, any>'],
  ["accepts: ['Data'], list: true", 'any[] | undefined'],
])('gives a port with %s the type %s', (input, type) => {
  expect(typeOf(input)).toBe(type);
});

it.each([
  ["kind: 'select', options: ['a', 'b'], required: true", '"a" | "b"'],
  ["kind: 'dropdown', options: ['a'], required: true", '"a"'],
  ["kind: 'multiselect', options: ['a', 'b'], required: true", '("a" | "b")[]'],
  ["kind: 'multiselect', required: true", 'string[]'],
  ["kind: 'text', options: ['a'], required: true", 'string'],
  ["kind: 'multiselect', options: [], required: true", 'string[]'],
  ["kind: 'select', options: ['it\\'s \"a\"']", '"it\'s \\"a\\"" | undefined'],
])('gives a choice with %s the type %s', (input, type) => {
  expect(typeOf(input)).toBe(type);
});

it('merges with the class as it is written', () => {
  expect(inputTypes('export default class A<T, U> extends Component { inputs = [] }')).toBe(
    'export default interface A<T, U> {\n\n}',
  );
  expect(inputTypes('export class A<T> extends Component {}')).toBe('export interface A<T> {\n\n}');
  expect(inputTypes('class A extends Component {}')).toBe('interface A {\n\n}');
  expect([inputTypes('const a = 1'), inputTypes('export default class {}')]).toEqual(['', '']);
});

it('declares each name once, unless the class has it, and shows its label and help', () => {
  const inputs =
    "inputs = [{ name: 'v', label: 'V', help: 'Ends */ here\\nnow' }, { name: 'v', kind: 'number' }, { name: 'own' }, { name: '1x' }]";
  const text = inputTypes(`class A extends Component { own = 1; ${inputs} }`);
  expect(text.split('\n')).toEqual(['interface A {', '/** V: Ends * / here now */', 'v: string | undefined;', '}']);
  const parts =
    "inputs = [{ name: 'a', label: 'A' }, { name: 'b', help: 'B' }, { name: 'c d' }, { name: 7 }, { name: 'e', label: 1 }]";
  expect(inputTypes(`class A extends Component { ${parts} }`)).toBe(
    'interface A {\n/** A */\na: string | undefined;\n/** B */\nb: string | undefined;\ne: string | undefined;\n}',
  );
});
