import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { CalculatorComponent, evaluate } from './calculator.ts';

const run = (expression: unknown) => Object.assign(new CalculatorComponent(), { expression }).run().result;

it.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['8 / 2 / 2', 2],
  ['7 - 2 - 1', 4],
  ['2 ** 3 ** 2', 512],
  ['-2 ** 2', -4],
  ['2 ** -1', 0.5],
  ['- -3', 3],
  ['+4', 4],
  ['.5 * 1.5e1', 7.5],
  ['2 * (3 + (4 - 1))', 12],
])('%s is %d', (text, value) => {
  expect(evaluate(text)).toBe(value);
});

it.each([
  ['', 'The expression ends too early.'],
  ['1 +', 'The expression ends too early.'],
  ['1 / 0', 'Division by zero.'],
  ['(1', 'A bracket is not closed.'],
  ['1 2', "'2' is not expected here."],
  ['1)', "')' is not expected here."],
  ['two', "'t' is not a number or an operator."],
  ['* 2', "'*' is not a number or an operator."],
  ['9 ** 999', 'The result is not a finite number.'],
  ['('.repeat(101), 'The expression has too many brackets.'],
  ['1'.repeat(1_001), 'The expression is longer than 1000 characters.'],
])('refuses %j', (text, message) => {
  expect(() => evaluate(text)).toThrow(message);
});

it('takes 100 brackets in each other, any number beside each other, and 1,000 characters', () => {
  expect(evaluate(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBe(1);
  expect(evaluate(Array(150).fill('(1)').join('+'))).toBe(150);
  expect(evaluate(`1${' '.repeat(999)}`)).toBe(1);
});

it('shows at most six decimals, and an error as a result', () => {
  expect([run('2 / 3'), run('1 / 4'), run('1e20'), run({ text: '4 / 2' })]).toEqual([
    { result: '0.666667' },
    { result: '0.25' },
    { result: '100000000000000000000' },
    { result: '2' },
  ]);
  expect(run('1 / 0')).toEqual({ error: 'Division by zero.', input: '1 / 0' });
});

it('has ports that stored flows name', () => {
  expect(portsOf(new CalculatorComponent())).toEqual([
    'expression: text Message required toolParameter',
    'result: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new CalculatorComponent())).toEqual([
    'Calculator (calculator): Computes an arithmetic expression with + - * / ** and brackets.',
    '',
    'expression: Expression',
    'result: Result',
  ]);
});
