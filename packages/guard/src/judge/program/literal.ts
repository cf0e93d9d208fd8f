import type { AnyNode, ObjectExpression, Property } from 'acorn';

/** A value that JavaScript source states literally. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | { readonly [key: string]: Literal };

const MAX_DEPTH = 32;

class NotLiteral extends Error {}

/**
 * Reads a literal of JavaScript from its syntax tree: strings and their concatenation, templates without
 * substitutions, numbers, lists and plain objects.
 *
 * @returns undefined if the value is computed, in whole or in part
 */
export function readLiteral(node: AnyNode): { readonly value: Literal } | undefined {
  try {
    return { value: valueOf(node, 0) };
  } catch (error) {
    if (error instanceof NotLiteral) return undefined;
    throw error;
  }
}

function valueOf(node: AnyNode | null, depth: number): Literal {
  if (node === null || depth > MAX_DEPTH) throw new NotLiteral();
  switch (node.type) {
    case 'Literal':
      if (node.regex !== undefined || typeof node.value === 'bigint' || node.value instanceof RegExp)
        throw new NotLiteral();
      return node.value;
    case 'Identifier':
      if (node.name !== 'undefined') throw new NotLiteral();
      return undefined;
    case 'UnaryExpression': {
      const value = valueOf(node.argument, depth + 1);
      if (node.operator !== '-' || typeof value !== 'number') throw new NotLiteral();
      return -value;
    }
    case 'ArrayExpression':
      return node.elements.map((element) => valueOf(element, depth + 1));
    case 'ObjectExpression':
      return objectOf(node, depth);
    default:
      return textOf(node);
  }
}

/** The text of a string, a template, or a concatenation of them. */
function textOf(node: AnyNode): string {
  const parts: string[] = [];
  let left = node;
  // A long concatenation is a deep tree to its left.
  for (; left.type === 'BinaryExpression' && left.operator === '+'; left = left.left) parts.push(wordOf(left.right));
  return [wordOf(left), ...parts.reverse()].join('');
}

function wordOf(node: AnyNode): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  const text = node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0]?.value.cooked : null;
  if (typeof text !== 'string') throw new NotLiteral();
  return text;
}

function objectOf(node: ObjectExpression, depth: number): Literal {
  return Object.fromEntries(
    node.properties.map((property): [string, Literal] => {
      if (property.type !== 'Property' || property.kind !== 'init' || property.computed || property.shorthand)
        throw new NotLiteral();
      const name = keyOf(property);
      // This key sets the prototype.
      if (name === '__proto__') throw new NotLiteral();
      return [name, valueOf(property.value, depth + 1)];
    }),
  );
}

function keyOf({ key }: Property): string {
  if (key.type === 'Identifier') return key.name;
  if (key.type !== 'Literal') throw new NotLiteral();
  return String(key.value);
}
