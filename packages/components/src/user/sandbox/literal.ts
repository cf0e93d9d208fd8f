import type { Node } from 'acorn';
import { placeOf } from './scan.ts';

type AnyNode = Node & Record<string, any>;

/** A part of a declaration that is not a literal, and its place. */
export class NotLiteral extends Error {
  readonly place: ReturnType<typeof placeOf>;

  constructor(node: AnyNode) {
    super('is not a literal');
    this.place = placeOf(node);
  }
}

const MAX_DEPTH = 50;

/**
 * The value of a literal: texts, numbers, true, false, null, lists and objects of these. Runs nothing. Objects inherit
 * nothing, so that a key such as `constructor` is a key.
 *
 * @throws NotLiteral
 */
export function literalValue(node: AnyNode, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new NotLiteral(node);
  switch (node.type) {
    case 'Literal':
      if (node['regex'] !== undefined || typeof node['value'] === 'bigint') throw new NotLiteral(node);
      return node['value'] as unknown;
    case 'TemplateLiteral':
      if (node['expressions'].length > 0) throw new NotLiteral(node);
      return node['quasis'][0].value.cooked as string;
    case 'UnaryExpression': {
      const value = literalValue(node['argument'], depth + 1);
      if (node['operator'] !== '-' || typeof value !== 'number') throw new NotLiteral(node);
      return -value;
    }
    case 'ArrayExpression':
      return (node['elements'] as (AnyNode | null)[]).map((each) => {
        if (each === null) throw new NotLiteral(node);
        return literalValue(each, depth + 1);
      });
    case 'ObjectExpression':
      return objectValue(node, depth);
    default:
      throw new NotLiteral(node);
  }
}

function objectValue(node: AnyNode, depth: number): Record<string, unknown> {
  const value = Object.create(null) as Record<string, unknown>;
  for (const property of node['properties'] as AnyNode[]) {
    if (property.type !== 'Property' || property['computed'] === true || property['kind'] !== 'init')
      throw new NotLiteral(property);
    const key = property['key'] as AnyNode;
    const name = String(key['name'] ?? key['value']);
    if (name === '__proto__') throw new NotLiteral(property);
    value[name] = literalValue(property['value'], depth + 1);
  }
  return value;
}
