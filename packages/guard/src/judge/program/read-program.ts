import type { AnyNode, CallExpression, NewExpression, Node, Program } from 'acorn';
import type { ObservedCall } from '../../decision.ts';
import { wordSet } from '../words.ts';
import { type Literal, readLiteral } from './literal.ts';

/** The calls in the syntax tree of a program, and whether there may be others. */
export interface ReadProgram {
  /** The calls of tools whose name and arguments are literal, in the order of the source. */
  readonly calls: readonly ObservedCall[];
  /** The program refers to tools, to the global object, or to code as text, in another way than by those calls. */
  readonly isOpen: boolean;
  /** The program calls any function. */
  readonly isCalling: boolean;
}

/** Names that lead to the tools, the global object, other modules, or the evaluation of text. */
const GLOBALS = wordSet(`tools eval Function globalThis global self window frames Reflect Proxy arguments require module
  exports process Deno Bun importScripts Worker SharedWorker ShadowRealm WebAssembly`);

/** Properties that lead there, and those that change what other code does with the arguments of a literal call. */
const PROPERTIES =
  wordSet(`tools eval Function globalThis arguments caller callee constructor prototype __proto__ toJSON
  prepareStackTrace assign setPrototypeOf getPrototypeOf defineProperty defineProperties getOwnPropertyDescriptor
  getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols __defineGetter__ __defineSetter__
  __lookupGetter__ __lookupSetter__`);

/** Some hosts evaluate a text that these functions get. */
const TIMERS = wordSet('setTimeout setInterval setImmediate');

/** Syntax that leads elsewhere by itself. `super.x = y` writes to `this`, which is the global object in old code. */
const SYNTAX = wordSet(`ThisExpression Super MetaProperty WithStatement ImportExpression ImportDeclaration
  ExportNamedDeclaration ExportDefaultDeclaration ExportAllDeclaration Decorator`);

/** Reads a program that its runtime gives `tools`: in a direct literal call the arguments are what the source states. */
export function readProgram(program: Program, source: string): ReadProgram {
  const calls: ObservedCall[] = [];
  let isOpen = false;
  let isCalling = false;
  const open: AnyNode[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const call = node.type === 'CallExpression' ? literalCall(node) : undefined;
    if (call !== undefined) {
      calls.push(call);
      isOpen ||= PROPERTIES.has(call.name);
      continue;
    }
    isCalling ||= /^(?:Call|New|TaggedTemplate|Import|Export)/.test(node.type);
    isOpen ||= SYNTAX.has(node.type) || leadsElsewhere(node) || isDivision(node, source);
    open.push(...partsOf(node).reverse());
  }
  return { calls, isOpen, isCalling };
}

/** A call `tools.name(literal)` or `tools['name'](literal)`. */
function literalCall({ callee, optional, arguments: given }: CallExpression): ObservedCall | undefined {
  if (optional || given.length > 1 || callee.type !== 'MemberExpression' || callee.optional) return undefined;
  if (callee.object.type !== 'Identifier' || callee.object.name !== 'tools') return undefined;
  const name = nameOf(callee.computed, callee.property);
  if (name === undefined) return undefined;
  if (given[0] === undefined) return { name, arguments: {} };
  const literal = readLiteral(given[0]);
  return literal && toCall(name, literal.value);
}

function toCall(name: string, value: Literal): ObservedCall {
  if (typeof value === 'string') return { name, arguments: value, isText: true };
  return { name, arguments: typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value } };
}

/** The name of a property that is written out; undefined if it is computed or private. */
function nameOf(isComputed: boolean, key: AnyNode): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  return key.type === 'Identifier' && !isComputed ? key.name : undefined;
}

function isOpenName(isComputed: boolean, key: AnyNode): boolean {
  const name = nameOf(isComputed, key);
  return name === undefined ? key.type !== 'PrivateIdentifier' : PROPERTIES.has(name);
}

function leadsElsewhere(node: AnyNode): boolean {
  switch (node.type) {
    case 'Identifier':
      return GLOBALS.has(node.name) || TIMERS.has(node.name);
    case 'MemberExpression':
      return isOpenName(node.computed, node.property);
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return isOpenName(node.computed, node.key);
    case 'AssignmentExpression':
      return bindsKnown(node.left);
    case 'UpdateExpression':
      return bindsKnown(node.argument);
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type !== 'VariableDeclaration' && bindsKnown(node.left);
    case 'VariableDeclarator':
      return bindsKnown(node.id);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return bindsKnown('id' in node ? node.id : null) || node.params.some(bindsKnown);
    case 'ClassDeclaration':
    case 'ClassExpression':
      // A superclass can return any object, and the fields are then defined on it.
      return bindsKnown(node.id) || node.superClass != null;
    case 'CatchClause':
      return bindsKnown(node.param);
    default:
      return false;
  }
}

/**
 * Whether a pattern gives a new value to a name that this reading relies on (`undefined` in literals, `Promise` in
 * pauses), or to a property, which may be one of a built-in object, such as `JSON.stringify`.
 */
function bindsKnown(pattern: AnyNode | null | undefined): boolean {
  switch (pattern?.type) {
    case 'Identifier':
      return pattern.name === 'undefined' || pattern.name === 'Promise';
    case 'MemberExpression':
      return true;
    case 'ObjectPattern':
      return pattern.properties.some((part) => bindsKnown(part.type === 'Property' ? part.value : part));
    case 'ArrayPattern':
      return pattern.elements.some(bindsKnown);
    case 'AssignmentPattern':
      return bindsKnown(pattern.left);
    case 'RestElement':
      return bindsKnown(pattern.argument);
    default:
      return false;
  }
}

/** The parts of a node that have to be read: no names of properties, no timer in the usual ways to pause. */
function partsOf(node: AnyNode): AnyNode[] {
  if (node.type === 'CallExpression' && isTimer(node)) {
    const [action, ...rest] = node.arguments;
    if (action?.type === 'ArrowFunctionExpression' || action?.type === 'FunctionExpression') return [action, ...rest];
  }
  if (node.type === 'MemberExpression' && !node.computed) return [node.object];
  if ((node.type === 'Property' || node.type === 'MethodDefinition') && !node.computed) return [node.value];
  if (node.type === 'NewExpression') return pauseParts(node) ?? childrenOf(node);
  return childrenOf(node);
}

function isTimer({ callee, optional }: CallExpression): boolean {
  return !optional && callee.type === 'Identifier' && TIMERS.has(callee.name);
}

/** `new Promise((resolve) => setTimeout(resolve, 1_000))`: the parts that may be anything. */
function pauseParts({ callee, arguments: given }: NewExpression): AnyNode[] | undefined {
  const [executor] = given;
  if (callee.type !== 'Identifier' || callee.name !== 'Promise' || given.length !== 1) return undefined;
  if (executor?.type !== 'ArrowFunctionExpression' || executor.body.type !== 'CallExpression') return undefined;
  const [resolve] = executor.params;
  const [action, ...rest] = executor.body.arguments;
  if (resolve?.type !== 'Identifier' || bindsKnown(resolve) || executor.params.length !== 1 || !isTimer(executor.body))
    return undefined;
  if (action?.type !== 'Identifier' || action.name !== resolve.name) return undefined;
  return [resolve, ...rest];
}

/** Whether `await /x/` would be a division in a runtime where `await` is an ordinary name. */
function isDivision(node: AnyNode, source: string): boolean {
  return node.type === 'AwaitExpression' && source[node.argument.start] === '/';
}

/** Every node directly below a node, whatever its type. */
function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const part of Object.values(node) as unknown[]) {
    if (!Array.isArray(part)) {
      if (isNode(part)) children.push(part);
    } else for (const item of part) if (isNode(item)) children.push(item);
  }
  return children;
}

function isNode(part: unknown): part is AnyNode {
  return typeof part === 'object' && part !== null && typeof (part as Node).type === 'string';
}
