import { type Node, parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import { portsOf, requireMethods, textMember } from './class-ports.ts';

type AnyNode = Node & Record<string, any>;
function membersOf(body: string): readonly AnyNode[] {
  const program = parse(`class A {\n${body}\n}`, { ecmaVersion: 2023, locations: true }) as AnyNode;
  return program['body'][0].body.body as AnyNode[];
}
const PLACE = { line: 1, column: 1 };
const ports = (body: string) => portsOf(membersOf(body), PLACE);
const OUT = "outputs = [{ name: 'r', method: 'm' }];";
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    const { kind, place, message } = error as { kind: string; place: object; message: string };
    return { kind, place, message };
  }
  return undefined;
};

describe('the ports of a class', () => {
  it('are its literal lists', () => {
    const { fields, outputs } = ports(`inputs = [{ name: 'a', kind: 'text' }];\n${OUT}`);
    expect(fields).toMatchObject([{ name: 'a', kind: 'text' }]);
    expect(outputs).toMatchObject([{ name: 'r', method: 'm' }]);
    expect(ports(OUT).fields).toEqual([]);
  });

  it.each<[string, string]>([
    ['', "The class has no outputs. Write: outputs = [{ name: 'result', method: 'build' }];"],
    ['outputs = [];', 'The class has no outputs.'],
    ["['outputs'] = [{ name: 'r' }];", 'The class has no outputs.'],
    ['outputs = x;', "'outputs' must be a list of literals."],
    ['outputs;', "'outputs' must be a list of literals."],
    ['outputs = [x];', "'outputs' must be a list of literals: no variables, calls or spreads"],
    ['outputs = [,];', "'outputs' "],
    [`${OUT} inputs = [{ name: 'r', kind: 'text' }];`, "Inputs and outputs have overlapping names: {'r'}"],
    ["outputs = [{ name: 'r', method: 'm' }, { name: 'r', method: 'n' }];", "The name 'r' is used twice."],
    [`${OUT} inputs = [{ name: 'a', kind: 'text' }, { name: 'a', kind: 'text' }];`, "The name 'a' is used twice."],
    [`outputs = [${"{ name: 'r' },".repeat(101)}];`, "'outputs' has more than 100 entries."],
    ['outputs = [7];', ''],
  ])('are refused: %s', (body, message) => {
    expect(refusal(() => ports(body))).toMatchObject({
      kind: 'ports',
      message: expect.stringContaining(message) as string,
    });
  });

  it('may be a hundred', () => {
    const many = Array.from({ length: 100 }, (_, n) => `{ name: 'r${n}', method: 'm' }`).join(',');
    expect(ports(`outputs = [${many}];`).outputs).toHaveLength(100);
  });

  it('are refused at the place of the part', () => {
    expect(refusal(() => ports('outputs = [\n  { name: x },\n];'))?.place).toEqual({ line: 3, column: 11 });
    expect(refusal(() => ports('outputs = [\n  7,\n];'))?.place).toEqual({ line: 3, column: 3 });
    expect(refusal(() => ports('inputs = 1;'))?.place).toEqual(PLACE);
  });
});

it('finds the first text of some names', () => {
  const members = membersOf("a = 1;\n b = '';\n c = 'C';\n d = 'D';");
  expect([
    textMember(members, ['a', 'b', 'c', 'd']),
    textMember(members, ['d', 'c']),
    textMember(members, ['x']),
  ]).toEqual(['C', 'D', undefined]);
  expect(textMember(membersOf(`a = '${'x'.repeat(600)}';`), ['a'])).toHaveLength(500);
});

describe('the methods', () => {
  const check = (body: string, outputs: readonly { name: string; method?: string }[] = [{ name: 'r', method: 'm' }]) =>
    refusal(() => requireMethods(membersOf(body), outputs as never, PLACE));
  const both = [{ name: 'r', method: 'm' }, { name: 's' }];

  it('give a value for each output, or one of them for all', () => {
    expect(check('m() { return 1; }')).toBeUndefined();
    expect(check('m() { if (a) return 1; }')).toBeUndefined();
    expect(check('async m() { return 1; }')).toBeUndefined();
    expect(check('run() { return 1; }', [{ name: 'r' }])).toBeUndefined();
  });

  it.each([
    ['', "Output method 'm' is not a method of the class."],
    ['static m() { return 1; }', "Output method 'm' is not a method of the class."],
    ['get m() { return 1; }', "Output method 'm' is not a method of the class."],
    ['m = () => 1;', "Output method 'm' is not a method of the class."],
    ['m() {}', "Output method 'm' does not have a return statement with a value"],
    ['m() { return; }', "Output method 'm' does not have a return statement with a value"],
    ['m() { const f = () => { return 1; }; }', "Output method 'm' does not have a return statement with a value"],
    ['m() { class B { f() { return 1; } } }', "Output method 'm' does not have a return statement with a value"],
  ])('are refused: %s', (body, message) => {
    expect(check(body)?.message).toBe(message);
  });

  it('are named by all outputs or by none', () => {
    expect(check('m() { return 1; }', both)?.message).toBe(
      'Either all outputs name a method, or none does and run() gives an object with them.',
    );
    expect(check('m() { return 1; }', [{ name: 'r' }])?.message).toBe(
      "Output method 'run' is not a method of the class.",
    );
    expect(check('\nm() {}')?.place).toEqual({ line: 3, column: 1 });
  });
});
