import { type ArithmeticExpression, forEachChild, type SyntaxNode, type Word } from 'unbash';
import { evaluateValue, type Expander } from './evaluate-word.ts';
import type { ShellState } from './state.ts';
import { isSubstitution } from './substitutions.ts';
import { checkEvaluated } from './subscripts.ts';

/** Reads the substitutions in a test or an arithmetic command, and checks the names that it evaluates. */
export function visitSubstitutions(node: SyntaxNode, state: ShellState, expander: Expander): void {
  const names = (...words: readonly Word[]): void => {
    for (const word of words)
      for (const text of evaluateValue(word, expander)) checkEvaluated(text, state, expander.undecidable);
  };
  const visit = (at: SyntaxNode): void => {
    if (isSubstitution(at)) expander.substitute(at.script);
    else {
      if (at.type === 'TestBinary' && /^-(?:eq|ne|lt|le|gt|ge)$/.test(at.operator)) names(at.left, at.right);
      if (at.type === 'TestUnary' && /^-[vR]$/.test(at.operator)) names(at.operand);
      forEachChild(at, visit);
    }
  };
  visit(node);
}

/** The words of an expression, as written. */
export function wordsOf(expression: ArithmeticExpression): string {
  const words: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ArithmeticWord') words.push(node.value);
    else forEachChild(node, visit);
  };
  visit(expression);
  return words.join(' ');
}
