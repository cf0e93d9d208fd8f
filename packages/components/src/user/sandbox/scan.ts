import type { Node, Program } from 'acorn';
import type { CodeProblem } from './messages.ts';

/** Names that always mean the global, or that no component needs as its own. */
const FORBIDDEN_NAMES = new Set([
  'eval',
  'Function',
  'globalThis',
  'importScripts',
  'SharedArrayBuffer',
  'WebAssembly',
]);
/** Names that are allowed where the source declares them itself. */
const FORBIDDEN_GLOBALS = new Map([
  ['process', 'process is forbidden in components: use an input for settings and secrets'],
  ['require', 'Use of require() is forbidden in components'],
  ['global', undefined],
  ['window', undefined],
  ['self', undefined],
  ['module', undefined],
  ['exports', undefined],
  ['__dirname', undefined],
  ['__filename', undefined],
  ['Deno', undefined],
  ['Bun', undefined],
  ['std', undefined],
  ['os', undefined],
  ['Worker', undefined],
  ['XMLHttpRequest', undefined],
  ['WebSocket', undefined],
]);
/** Properties through which code reaches the constructors and prototypes of others. */
const ESCAPES = new Set(['__proto__', '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__']);
const SETTERS = new Set(['setPrototypeOf']);

type AnyNode = Node & Record<string, any>;

/**
 * Finds what components may not do, in the syntax tree of the very text that runs. The sandbox is what confines code;
 * this scan rejects code that tries, and gives a line that people and models can act on.
 */
export function scanProgram(program: Program): readonly CodeProblem[] {
  const problems: CodeProblem[] = [];
  const declared = declaredNames(program);
  const report = (node: AnyNode, message: string) => problems.push({ kind: 'forbidden', ...placeOf(node), message });
  eachNode(program, (node, parent) => {
    if (node.type === 'Identifier') scanName(node, parent, declared, report);
    else if (node.type === 'MemberExpression') scanMember(node, parent, report);
    else if (node.type === 'Property' || node.type === 'PropertyDefinition' || node.type === 'MethodDefinition') {
      const name = keyOf(node);
      if (name !== undefined && ESCAPES.has(name)) report(node, escape(name));
    } else if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration')
      report(node, `Import of '${String(node['source'].value)}' is forbidden in components`);
    else if (node.type === 'ExportNamedDeclaration' && node['source'])
      report(node, `Import of '${String(node['source'].value)}' is forbidden in components`);
    else if (node.type === 'ImportExpression') report(node, 'Use of import() is forbidden in components');
    else if (node.type === 'MetaProperty' && node['meta'].name === 'import')
      report(node, 'Use of import.meta is forbidden in components');
    else if (node.type === 'DebuggerStatement') report(node, 'Use of debugger is forbidden in components');
  });
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The line and column of a node, both 1-based; 0 where unknown. */
export function placeOf({ loc }: Node): { readonly line: number; readonly column: number } {
  return loc ? { line: loc.start.line, column: loc.start.column + 1 } : NO_PLACE;
}

/** Where no line is to blame. */
export const NO_PLACE = { line: 0, column: 0 } as const;

const escape = (name: string) => `Access to '${name}' is forbidden in components (sandbox escape)`;

type Report = (node: AnyNode, message: string) => void;

function scanName(node: AnyNode, parent: AnyNode | undefined, declared: ReadonlySet<string>, report: Report): void {
  const name = node['name'] as string;
  if (!isReference(node, parent)) return;
  const isCall = parent?.type === 'CallExpression' && parent['callee'] === node;
  if (FORBIDDEN_NAMES.has(name)) report(node, `Use of ${name}${isCall ? '()' : ''} is forbidden in components`);
  else if (FORBIDDEN_GLOBALS.has(name) && !declared.has(name))
    report(node, FORBIDDEN_GLOBALS.get(name) ?? `Use of ${name} is forbidden in components`);
}

function scanMember(node: AnyNode, parent: AnyNode | undefined, report: Report): void {
  const name = propertyOf(node);
  if (name === undefined) return;
  if (ESCAPES.has(name)) report(node, escape(name));
  else if (SETTERS.has(name)) report(node, `Use of ${name}() is forbidden in components (sandbox escape)`);
  else if (name === 'constructor') {
    const isCalled =
      (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent['callee'] === node;
    const isChained = node['object'].type === 'MemberExpression' && propertyOf(node['object']) === 'constructor';
    if (isCalled || isChained) report(node, escape('constructor'));
  }
}

/** Whether an identifier reads or writes a variable, and is not the name of a property. */
function isReference(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent === undefined) return true;
  if (parent.type === 'MemberExpression') return parent['object'] === node || parent['computed'] === true;
  if (parent.type === 'Property' || parent.type === 'PropertyDefinition' || parent.type === 'MethodDefinition')
    return parent['value'] === node || parent['computed'] === true;
  return parent.type !== 'ExportSpecifier' && parent.type !== 'LabeledStatement';
}

/** The name of a property that the source writes out, also as a concatenation of texts. */
function propertyOf(node: AnyNode): string | undefined {
  const property = node['property'] as AnyNode;
  if (node['computed'] !== true) return property['name'] as string | undefined;
  return constantText(property);
}

function keyOf(node: AnyNode): string | undefined {
  const key = node['key'] as AnyNode;
  if (node['computed'] === true) return constantText(key);
  return (key['name'] ?? key['value']) as string | undefined;
}

function constantText(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type === 'TemplateLiteral' && node['expressions'].length === 0)
    return node['quasis'][0].value.cooked as string;
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined;
  const [left, right] = [constantText(node['left']), constantText(node['right'])];
  return left === undefined || right === undefined ? undefined : left + right;
}

function declaredNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (pattern: AnyNode | null) => {
    if (pattern) eachNode(pattern, (each) => void (each.type === 'Identifier' && names.add(each['name'])));
  };
  eachNode(program, (node) => {
    if (node.type === 'VariableDeclarator') add(node['id']);
    else if (node.type.includes('Function') || node.type === 'ClassDeclaration') {
      add(node['id'] ?? null);
      for (const each of node['params'] ?? []) add(each);
    } else if (node.type === 'CatchClause') add(node['param']);
  });
  return names;
}

/** Visits every node below `root`, without recursion: the source decides how deep the tree is. */
export function eachNode(root: Node, visit: (node: AnyNode, parent: AnyNode | undefined) => unknown): void {
  const open: { node: AnyNode; parent: AnyNode | undefined }[] = [{ node: root as AnyNode, parent: undefined }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node } = at;
    if (visit(node, at.parent) === 'skip') continue;
    for (const key of Object.keys(node)) {
      const value = node[key] as unknown;
      for (const each of Array.isArray(value) ? value : [value])
        if (typeof each === 'object' && each !== null && typeof each.type === 'string')
          open.push({ node: each, parent: node });
    }
  }
}
