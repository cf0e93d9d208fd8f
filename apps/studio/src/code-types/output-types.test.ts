import { expect, it } from 'vitest';
import { componentTypes } from '../../../../scripts/component-types.mjs';
import { createTypeChecker } from './type-checker.ts';

const checker = createTypeChecker(await componentTypes());

const INPUTS = "{ name: 'value', kind: 'text', required: true }, { name: 'size', kind: 'number', default: 2 }";
const component = (body: string, types: string) => `import { toRows, type Row } from '@croft/component';

export class Sample extends Component {
  inputs = [${INPUTS}];
  outputs = [{ name: 'result', types: [${types}], method: 'build' }];
  build() {
    ${body}
  }
}
`;
const problems = (code: string) => checker.check(code).map(({ line, message }) => `${line}: ${message}`);

it.each([
  ["'Message'", 'return [this.value];', "'result' gets string[], and must be a text."],
  ["'Message'", 'return { txt: 1 };', "'result' gets { txt: number; }, and must be a text."],
  ["'Message'", 'return () => 1;', "'result' gets () => number, and must be a text."],
  ["'Data'", 'return 5;', "'result' gets number, and must be an object."],
  ["'Table'", 'return this.value;', "'result' gets string, and must be a list of objects."],
  ["'Table'", 'return { a: 1 };', "'result' gets { a: number; }, and must be a list of objects."],
  ["'Table'", 'return [1, 2];', "'result' gets number[], and must be a list of objects."],
  ["'Data', 'Table'", 'return true;', "'result' gets boolean, and must be an object or a list of objects."],
])('an output of %s is not given by %s', (types, body, message) => {
  expect(problems(component(body, types))).toEqual([`7: Output ${message}`]);
});

it.each([
  ["'Message'", 'return this.value;'],
  ["'Message'", 'return this.size * 2;'],
  ["'Message'", "return { text: 'a', sender: 'b' };"],
  ["'Message'", 'return this.size > 1 ? this.value : undefined;'],
  ["'Message'", 'return JSON.parse(this.value);'],
  ["'Data'", 'return toRows(this.value)[0];'],
  ["'Data'", 'return new Map<string, number>();'],
  ["'Table'", 'return toRows(this.value);'],
  ["'Table'", 'return [];'],
  ["'Table'", 'const rows = []; rows.push({ a: 1 }); return rows;'],
  ["'Table'", 'return toRows(this.value).map((row) => row.text);'],
  ["'File'", "return { path: 'a', version: 'b' };"],
  ["'Message', 'Table'", 'return this.size > 1 ? this.value : [{ a: 1 }];'],
  ["'Later'", 'return 5;'],
])('an output of %s may be given by %s', (types, body) => {
  expect(problems(component(body, types))).toEqual([]);
});

it('reads what a method returns in the end, and not what its inner functions return', () => {
  const messageOf = (method: string) =>
    problems(`export class A extends Component {
  outputs = [{ name: 'x', types: ['Message'], method: 'build' }];
  ${method}
}`);
  expect(messageOf("async build() { return 'a'; }")).toEqual([]);
  expect(messageOf('async build() { return [1]; }')).toEqual(["3: Output 'x' gets number[], and must be a text."]);
  expect(messageOf("build() { const rows = [1].map((each) => { return [each]; }); return rows.join(','); }")).toEqual(
    [],
  );
  expect(messageOf('build(): Promise<number[]> { throw new Error(); }')).toHaveLength(1);
  expect(messageOf('build(): any { return [1]; }')).toEqual([]);
  expect(messageOf('build() { this.log(1); }')).toEqual([
    "3: Output method 'build' does not have a return statement with a value.",
  ]);
  expect(messageOf('other() { return 1; }')).toEqual(["2: Output method 'build' is not a method of the class."]);
});

it('reads the outputs of one run() by their names', () => {
  const run = (body: string) =>
    problems(`export class A extends Component {
  outputs = [{ name: 'x', types: ['Message'] }, { name: 'y', types: ['Table'] }];
  run() {
    ${body}
  }
}`);
  expect(run("return { x: 'a', y: [{ b: 1 }] };")).toEqual([]);
  expect(run("return { x: 'a' };")).toEqual([]);
  expect(run('const given: Record<string, unknown> = {}; return given;')).toEqual([]);
  expect(run("return { x: ['a'], z: 1 };")).toEqual([
    "4: Output 'x' gets string[], and must be a text.",
    "4: There is no output 'z'. Outputs: x, y.",
  ]);
  expect(run("return 'a';")).toEqual(['4: run() must return an object with the outputs by name.']);
});

it('finds nothing without a component or outputs', () => {
  expect(problems('const a = 1;')).toEqual([]);
  expect(problems('export class A extends Component { outputs = []; run() { return 5; } }')).toEqual([]);
  expect(
    problems(
      "export class A extends Component { outputs = [{ name: 'x', types: ['Data'] }, { name: 'y', method: 'b' }]; b() { return 1; } }",
    ),
  ).toEqual([]);
});

it('takes any value for a branch, a loop, and an output for each row', () => {
  const one = (output: string, result: string) =>
    problems(`export class A extends Component {
  outputs = [${output}];
  run() { return ${result}; }
}`);
  expect(one("{ name: 'x', types: ['Table'] }", '{ x: 1 }')).toEqual([
    "3: Output 'x' gets number, and must be a list of objects.",
  ]);
  for (const more of ['branch: true', 'loop: true'])
    expect(one(`{ name: 'x', types: ['Table'], ${more} }`, '{ x: 1 }')).toEqual([]);
  expect(one("{ name: 'x', type: 'Table' }", '{ x: 1 }')).toHaveLength(1);
  expect(one("{ name: 'x', types: ['Table'] }, { name: 'row', each: 'rows' }", '{ other: 1 }')).toEqual([]);
  expect(one("{ name: 'x', types: ['Table'] }", '[1]')).toEqual([
    '3: run() must return an object with the outputs by name.',
  ]);
  expect(one("{ name: 'x', types: ['Table'] }", 'undefined as { x: number } | undefined')).toHaveLength(1);
});

it.each([
  ["'Message'", 'return { toJSON: () => 5 };', 0],
  ["'Message'", 'const made: Record<string, number> = {}; return made;', 0],
  ["'Message'", 'return { text: 5 };', 1],
  ["'Message'", "return { text: this.size > 1 ? 'a' : null };", 0],
  ["'File'", 'return 5;', 1],
  ["'Table'", "return [['a']];", 1],
  ["'Table'", "return [{ a: 1 }, 'b'];", 1],
  ["'Table'", 'return null;', 0],
])('an output of %s and: %s', (types, body, count) => expect(problems(component(body, types))).toHaveLength(count));

it('shows the problem at the property that is wrong, or at the whole value where it is made elsewhere', () => {
  const run = (body: string) =>
    problems(`export class A extends Component {
  outputs = [{ name: 'x', types: ['Message'] }];
  run() {
    ${body}
  }
}`);
  expect(run("return {\n  x: ['a'] };")).toEqual(["5: Output 'x' gets string[], and must be a text."]);
  expect(run("const made = { x: ['a'] };\n\nreturn made;")).toEqual([
    "6: Output 'x' gets string[], and must be a text.",
  ]);
  expect(run('const made = () => ({ z: 1 });\nreturn made();')).toEqual(["5: There is no output 'z'. Outputs: x."]);
});
