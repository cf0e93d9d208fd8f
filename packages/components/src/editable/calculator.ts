import { Component, toText } from './component.ts';

/** Arithmetic with + - * / ** and brackets. */
export class CalculatorComponent extends Component {
  label = 'Calculator';
  description = 'Computes an arithmetic expression with + - * / ** and brackets.';
  icon = 'calculator';
  inputs = [
    {
      name: 'expression',
      label: 'Expression',
      kind: 'text',
      accepts: ['Message'],
      required: true,
      toolParameter: true,
    },
  ];
  outputs = [{ name: 'result', label: 'Result', types: ['Data'] }];
  expression: unknown;

  run() {
    const expression = toText(this.expression);
    try {
      return { result: { result: shown(evaluate(expression)) } };
    } catch (error) {
      return { result: { error: error instanceof Error ? error.message : String(error), input: expression } };
    }
  }
}

/** At most six decimals, without zeros at the end. */
const shown = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(6).replace(/\.?0+$/, '');

const MAX_LENGTH = 1_000;
const MAX_DEPTH = 100;

/**
 * Evaluates an expression by recursive descent. Never runs it as code.
 *
 * @throws Error for other characters, a missing operand, a division by zero, or more than 1,000 characters
 */
export function evaluate(text: string): number {
  if (text.length > MAX_LENGTH) throw new Error(`The expression is longer than ${MAX_LENGTH} characters.`);
  const tokens = text.match(/\*\*|[-+*/()]|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+|\S/g) ?? [];
  let at = 0;
  let depth = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-')
      value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = unary();
    while (tokens[at] === '*' || tokens[at] === '/') {
      if (tokens[at++] === '*') value *= unary();
      else {
        const divisor = unary();
        if (divisor === 0) throw new Error('Division by zero.');
        value /= divisor;
      }
    }
    return value;
  };
  const unary = (): number => {
    if (tokens[at] === '-' || tokens[at] === '+') return tokens[at++] === '-' ? -unary() : unary();
    return power();
  };
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== '**') return base;
    at++;
    return base ** unary();
  };
  const atom = (): number => {
    const token = tokens[at++];
    if (token === '(') {
      if (++depth > MAX_DEPTH) throw new Error('The expression has too many brackets.');
      const value = sum();
      if (tokens[at++] !== ')') throw new Error('A bracket is not closed.');
      depth--;
      return value;
    }
    if (token === undefined) throw new Error('The expression ends too early.');
    const value = Number(token);
    if (!/^[\d.]/.test(token) || Number.isNaN(value)) throw new Error(`'${token}' is not a number or an operator.`);
    return value;
  };
  const value = sum();
  if (at < tokens.length) throw new Error(`'${tokens[at]}' is not expected here.`);
  if (!Number.isFinite(value)) throw new Error('The result is not a finite number.');
  return value;
}
