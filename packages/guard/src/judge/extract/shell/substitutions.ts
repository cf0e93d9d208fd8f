import { type ArithmeticExpression, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution' }
>;

/** Whether the shell runs a node as a command of its own. */
export const isSubstitution = (node: SyntaxNode): node is Substitution =>
  node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion' || node.type === 'ProcessSubstitution';

/** Reads the commands inside an arithmetic expression. */
export function visitArithmetic(
  expression: ArithmeticExpression | undefined,
  expander: { substitute(script: ParsedScript | undefined): unknown },
): void {
  if (expression === undefined) return;
  const visit = (node: SyntaxNode): void => {
    if (isSubstitution(node)) expander.substitute(node.script);
    else forEachChild(node, visit);
  };
  visit(expression);
}
