import ts from 'typescript';
import { expect, it } from 'vitest';
import { componentClass, entriesOf, writtenValue } from './component-class.ts';

const classOf = (code: string) => componentClass(ts.createSourceFile('c.ts', code, ts.ScriptTarget.ES2022));
const entries = (list: string, name: 'inputs' | 'outputs' = 'inputs') => {
  const found = classOf(`class A { ${name} = ${list} }`);
  return found ? entriesOf(found, name) : [];
};

it.each([
  ['class A {} export class B {} class C extends Component {} export class D extends Component {}', 'D'],
  ['class A {} export class B {} class C extends Component {}', 'C'],
  ['class A {} export class B {} class C extends Other {}', 'B'],
  ['class A {} class B extends lib.Component {}', 'A'],
])('chooses of %s the class %s', (code, name) => {
  expect(classOf(code)?.name?.text).toBe(name);
});

it('finds none in code without a class', () => {
  expect(classOf('const a = 1')).toBeUndefined();
});

it('reads texts, true and lists of texts of literal objects', () => {
  const [entry, ...others] = entries(
    "[{ name: 'a', 'label': `B`, list: true, off: false, size: 2, accepts: ['x', 'y'], mixed: ['x', y] }, other]",
  );
  expect(others).toEqual([]);
  expect(Object.fromEntries(entry?.declared ?? [])).toEqual({ name: 'a', label: 'B', list: true, accepts: ['x', 'y'] });
});

it('reads the list that it is asked for, and no list that is not a literal', () => {
  expect(entries("[{ name: 'a' }]", 'outputs')).toHaveLength(1);
  expect(entries('make()')).toEqual([]);
  const both = classOf("class A { outputs = [{ name: 'o' }]; inputs = [{ name: 'i' }, { name: 'j' }] }");
  expect(both && [entriesOf(both, 'inputs').length, entriesOf(both, 'outputs').length]).toEqual([2, 1]);
});

it('gives the value of a property, whatever it is', () => {
  const [entry] = entries('[{ default: make(), short }]');
  const value = (name: string) => entry && writtenValue(entry.node, name)?.kind;
  expect([value('default'), value('short'), value('none')]).toEqual([
    ts.SyntaxKind.CallExpression,
    undefined,
    undefined,
  ]);
});
