import { type Node, parse, type Program } from 'acorn';
import { transform } from 'sucrase';
import { fieldOf, outputOf, type Ports, WrongPort } from './declared-ports.ts';
import { literalValue, NotLiteral } from './literal.ts';
import type { CodeOutput, CodeProblem, ReadComponent, ReadOutcome } from './messages.ts';
import { inSource } from './source-place.ts';
import { eachNode, NO_PLACE, placeOf, scanProgram } from './scan.ts';

type AnyNode = Node & Record<string, any>;

export const MAX_SOURCE_BYTES = 1024 * 1024;
export const MAX_CLASS_NAME = 64;
const CLASS_NAME = /^[A-Z][A-Za-z0-9_]*$/;
/** The one module that a source may import from, for its types. */
const OWN_MODULE = /^@croft\/component$/;

type Place = Pick<CodeProblem, 'line' | 'column'>;

class Refused extends Error {
  readonly kind: CodeProblem['kind'];
  readonly place: Place;

  constructor(kind: CodeProblem['kind'], place: Place, message: string) {
    super(message);
    this.kind = kind;
    this.place = place;
  }
}

/**
 * Reads a component's source: removes types, finds the class and its literal ports, and scans for what is forbidden. Runs
 * nothing of it. Can take long and much memory for a hostile source: call it in the sandbox's thread only.
 */
export function readSource(source: string): ReadOutcome {
  let js = source;
  const refused = (problems: readonly CodeProblem[]): ReadOutcome => ({
    ok: false,
    problems: problems.map((each) => inSource(each, source, js)),
  });
  try {
    if (source.trim() === '') throw new Refused('syntax', NO_PLACE, 'The code is empty.');
    const bytes = Buffer.byteLength(source);
    if (bytes > MAX_SOURCE_BYTES)
      throw new Refused('syntax', NO_PLACE, `code size ${bytes} bytes exceeds limit of ${MAX_SOURCE_BYTES} bytes`);
    js = withoutTypes(source);
    const own = withoutOwnImport(js, parsed(js));
    js = own.js;
    const program = parsed(js);
    const forbidden = scanProgram(program);
    if (forbidden.length > 0) return refused(forbidden.slice(0, 20));
    return { ok: true, component: { ...componentOf(program, js), imports: own.imports } };
  } catch (error) {
    if (error instanceof Refused) return refused([{ kind: error.kind, ...error.place, message: error.message }]);
    if (error instanceof RangeError)
      return { ok: false, problems: [{ kind: 'syntax', ...NO_PLACE, message: 'The code is nested too deeply.' }] };
    throw error;
  }
}

/** Keeps line numbers, and imports that only types use: the scan has to see them. */
function withoutTypes(source: string): string {
  try {
    return transform(source, { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true }).code;
  } catch (error) {
    throw syntaxError(error, 0);
  }
}

function parsed(js: string): Program {
  try {
    return parse(js, { ecmaVersion: 2023, sourceType: 'module', locations: true });
  } catch (error) {
    throw syntaxError(error, 1);
  }
}

/** @param firstColumn what the parser's columns lack to be 1-based */
function syntaxError(error: unknown, firstColumn: 0 | 1): unknown {
  if (error instanceof RangeError || !(error instanceof Error)) return error;
  const [, line = '0', column = '0'] = /\((\d+):(\d+)\)\s*$/.exec(error.message) ?? [];
  const message = error.message.replace(/^Error transforming [^:]*: /, '').replace(/ \(\d+:\d+\)\s*$/, '');
  return new Refused(
    'syntax',
    { line: Number(line), column: Number(column) + firstColumn },
    `${message.slice(0, 300)}.`,
  );
}

/**
 * Blanks `import … from '@croft/component'`: `Component` and the functions are there without it. Other imports stay, for
 * the scan.
 */
function withoutOwnImport(js: string, program: Program): { readonly js: string; readonly imports: readonly string[] } {
  let result = js;
  const imports: string[] = [];
  for (const each of program.body) {
    if (each.type !== 'ImportDeclaration' || !OWN_MODULE.test(String(each.source.value))) continue;
    result =
      result.slice(0, each.start) +
      result.slice(each.start, each.end).replace(/[^\n\r]/g, ' ') +
      result.slice(each.end);
    for (const part of each.specifiers as AnyNode[]) {
      const name = part['imported']?.name as string | undefined;
      if (name !== part['local'].name)
        throw new Refused(
          'ports',
          placeOf(part),
          'Import from @croft/component by name: import { Component, toText }.',
        );
      if (name !== undefined && name !== 'Component') imports.push(name);
    }
  }
  return { js: result, imports };
}

function componentOf(program: Program, js: string): Omit<ReadComponent, 'imports'> {
  const node = classOf(program);
  const className = node['id'].name as string;
  if (className.length > MAX_CLASS_NAME)
    throw new Refused(
      'ports',
      placeOf(node),
      `class_name length ${className.length} exceeds max ${MAX_CLASS_NAME} (Windows MAX_PATH safeguard)`,
    );
  const members = node['body'].body as AnyNode[];
  const ports = portsOf(members, placeOf(node));
  requireMethods(members, ports.outputs, placeOf(node));
  const text = (names: readonly string[]) => textMember(members, names);
  const icon = text(['icon']);
  return {
    className,
    label: text(['label', 'displayName', 'display_name']) ?? className,
    description: text(['description']) ?? 'A component of your own.',
    ...(icon !== undefined && { icon }),
    ...ports,
    js,
  };
}

/** The exported class, or the only one. */
function classOf(program: Program): AnyNode {
  const exported: AnyNode[] = [];
  const others: AnyNode[] = [];
  for (const each of program.body as AnyNode[]) {
    if (each.type === 'ClassDeclaration') others.push(each);
    else if (
      (each.type === 'ExportNamedDeclaration' || each.type === 'ExportDefaultDeclaration') &&
      each['declaration']?.type === 'ClassDeclaration'
    )
      exported.push(each['declaration']);
  }
  const components = (list: readonly AnyNode[]) => list.filter(({ superClass }) => superClass?.name === 'Component');
  const [found] = [...components(exported), ...components(others), ...exported, ...others];
  if (found?.['id'] && CLASS_NAME.test(found['id'].name)) return found;
  throw new Refused(
    'ports',
    found === undefined ? NO_PLACE : placeOf(found),
    'Could not extract class name from code. Write: export class MyComponent extends Component { … }',
  );
}

function portsOf(members: readonly AnyNode[], place: Place): Ports {
  const outputs = listMember(members, 'outputs', outputOf);
  if (outputs === undefined || outputs.length === 0)
    throw new Refused(
      'ports',
      place,
      "The class has no outputs. Write: outputs = [{ name: 'result', method: 'build' }];",
    );
  const fields = listMember(members, 'inputs', fieldOf) ?? [];
  const inputs = new Set(fields.map(({ name }) => name));
  const overlap = outputs.filter(({ name }) => inputs.has(name)).map(({ name }) => `'${name}'`);
  if (overlap.length > 0)
    throw new Refused('ports', place, `Inputs and outputs have overlapping names: {${overlap.join(', ')}}`);
  for (const list of [fields, outputs]) {
    const names = list.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Refused('ports', place, `The name '${twice}' is used twice.`);
  }
  return { fields, outputs };
}

function memberOf(members: readonly AnyNode[], name: string, type: string): AnyNode | undefined {
  return members.find(
    (each) => each.type === type && each['computed'] !== true && (each['key'].name ?? each['key'].value) === name,
  );
}

function listMember<Each>(
  members: readonly AnyNode[],
  name: string,
  read: (value: unknown, index: number) => Each,
): Each[] | undefined {
  const member = memberOf(members, name, 'PropertyDefinition');
  if (member === undefined) return undefined;
  const place = placeOf(member);
  const node = member['value'] as AnyNode | null;
  if (node?.type !== 'ArrayExpression') throw new Refused('ports', place, `'${name}' must be a list of literals.`);
  if (node['elements'].length > 100) throw new Refused('ports', place, `'${name}' has more than 100 entries.`);
  return (node['elements'] as (AnyNode | null)[]).map((element, index) => {
    const at = element === null ? place : placeOf(element);
    try {
      return read(literalValue(element ?? node), index);
    } catch (error) {
      if (error instanceof NotLiteral)
        throw new Refused(
          'ports',
          error.place,
          `'${name}' must be a list of literals: no variables, calls or spreads, because it is read without running the code.`,
        );
      if (error instanceof WrongPort) throw new Refused('ports', at, error.message);
      throw error;
    }
  });
}

function textMember(members: readonly AnyNode[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const node = memberOf(members, name, 'PropertyDefinition')?.['value'] as AnyNode | undefined;
    if (node?.type === 'Literal' && typeof node['value'] === 'string' && node['value'] !== '')
      return node['value'].slice(0, 500);
  }
  return undefined;
}

/** Each output needs a method that gives a value; one `run` may give all of them. */
function requireMethods(members: readonly AnyNode[], outputs: readonly CodeOutput[], place: Place): void {
  const named = outputs.filter(({ method }) => method !== undefined);
  if (named.length > 0 && named.length < outputs.length)
    throw new Refused(
      'ports',
      place,
      'Either all outputs name a method, or none does and run() gives an object with them.',
    );
  const methods = new Set(named.length === 0 ? ['run'] : named.map(({ method }) => method as string));
  for (const method of methods) {
    const node = memberOf(members, method, 'MethodDefinition');
    if (node === undefined || node['static'] === true || node['kind'] !== 'method')
      throw new Refused('ports', place, `Output method '${method}' is not a method of the class.`);
    if (!returnsValue(node['value'].body))
      throw new Refused(
        'ports',
        placeOf(node),
        `Output method '${method}' does not have a return statement with a value`,
      );
  }
}

function returnsValue(body: AnyNode): boolean {
  let found = false;
  eachNode(body, (node) => {
    if (node.type === 'ReturnStatement' && node['argument']) found = true;
    return node.type.includes('Function') || node.type.startsWith('Class') ? 'skip' : undefined;
  });
  return found;
}
