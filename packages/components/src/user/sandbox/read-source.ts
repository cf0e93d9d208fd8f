import { parse, type Program } from 'acorn';
import { transform } from 'sucrase';
import type { CodeProblem, ReadComponent, ReadOutcome } from './messages.ts';
import { inSource } from './source-place.ts';
import { NO_PLACE, placeOf, scanProgram } from './scan.ts';
import { type AnyNode, Refused } from './refused-source.ts';
import { portsOf, textMember, requireMethods } from './class-ports.ts';

export const MAX_SOURCE_BYTES = 1024 * 1024;
export const MAX_CLASS_NAME = 64;
const CLASS_NAME = /^[A-Z][A-Za-z0-9_]*$/;
/** The one module that a source may import from, for its types. */
const OWN_MODULE = /^@croft\/component$/;

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
