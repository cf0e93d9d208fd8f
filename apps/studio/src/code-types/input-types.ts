import ts from 'typescript';
import { componentClass, type Declared, entriesOf, nameOf, writtenValue } from './component-class.ts';

/** The type of an input by its kind, with the other names of kinds. Inputs of other kinds can have any value. */
const OF_KIND: Readonly<Record<string, string>> = {
  text: 'string',
  string: 'string',
  str: 'string',
  multiline: 'string',
  file: 'string',
  number: 'number',
  float: 'number',
  integer: 'number',
  int: 'number',
  slider: 'number',
  switch: 'boolean',
  boolean: 'boolean',
  bool: 'boolean',
  'key-value': 'Record<string, any>',
  dict: 'Record<string, any>',
  table: 'Record<string, any>[]',
};
/** The type of an input that accepts only this type of port. */
const OF_PORT: Readonly<Record<string, string>> = {
  Message: "import('@croft/component').Message",
  Data: 'Record<string, any>',
  Table: 'Record<string, any>[]',
  File: '{ path: string; version: string; type?: string }',
};
const NAME = /^[A-Za-z_]\w*$/;

/**
 * An interface with the inputs that the class of a component declares as literals. TypeScript merges it with the class, which
 * has its inputs as properties when it runs. Empty where the code has no such class.
 */
export function inputTypes(code: string): string {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.ES2022);
  const node = componentClass(file);
  if (node?.name === undefined) return '';
  const own = new Set(node.members.map(({ name }) => name && nameOf(name)));
  const lines = inputsOf(node)
    .filter(({ name }) => !own.has(name))
    .map(({ name, type, about }) => `${about === '' ? '' : `/** ${about} */\n`}${name}: ${type};`);
  const modifiers: readonly ts.SyntaxKind[] = (node.modifiers ?? []).map(({ kind }) => kind);
  const prefix = [ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DefaultKeyword]
    .filter((kind) => modifiers.includes(kind))
    .map((kind) => `${ts.tokenToString(kind)} `);
  const parameters = node.typeParameters?.map((each) => code.slice(each.pos, each.end)).join(',');
  const generic = parameters === undefined ? '' : `<${parameters}>`;
  return `${prefix.join('')}interface ${node.name.text}${generic} {\n${lines.join('\n')}\n}`;
}

interface Input {
  readonly name: string;
  readonly type: string;
  /** For people; without the end of a comment. */
  readonly about: string;
}

function inputsOf(node: ts.ClassDeclaration): Input[] {
  const seen = new Set<string>();
  return entriesOf(node, 'inputs').flatMap(({ node: written, declared }) => {
    const name = declared.get('name');
    if (typeof name !== 'string' || !NAME.test(name) || seen.has(name)) return [];
    seen.add(name);
    const about = ['label', 'help'].map((key) => declared.get(key)).filter((text) => typeof text === 'string');
    const type = `${typeOf(declared)}${hasValue(written, declared) ? '' : ' | undefined'}`;
    return [{ name, type, about: about.join(': ').replaceAll('*/', '* /').replaceAll('\n', ' ') }];
  });
}

/** Whether the run does not start without a value. One that is hidden may have none. */
function hasValue(written: ts.ObjectLiteralExpression, declared: Declared): boolean {
  const preset = writtenValue(written, 'default') ?? writtenValue(written, 'value');
  if (preset !== undefined && preset.kind !== ts.SyntaxKind.NullKeyword) return true;
  return declared.get('required') === true && writtenValue(written, 'showWhen') === undefined;
}

function typeOf(declared: Declared): string {
  const accepts = declared.get('accepts') ?? declared.get('input_types');
  const ports = typeof accepts === 'string' ? [accepts] : Array.isArray(accepts) ? (accepts as string[]) : undefined;
  const kind =
    declared.get('kind') ??
    declared.get('type') ??
    (ports === undefined || ports.includes('Message') ? 'text' : 'handle');
  const isList = declared.get('list') === true || declared.get('is_list') === true;
  if (isList) return 'any[]';
  if (kind === 'handle') return (ports?.length === 1 && OF_PORT[ports[0] as string]) || 'any';
  const type = typeof kind === 'string' && Object.hasOwn(OF_KIND, kind) ? (OF_KIND[kind] as string) : 'any';
  const isText = kind === 'multiline' || (type === 'string' && kind !== 'file');
  // Texts are made of what an edge brings; other kinds get the value as it is.
  if (!isText && ports !== undefined && ports.length > 0) return 'any';
  const options = declared.get('options');
  if (!Array.isArray(options) || options.length === 0) return kind === 'multiselect' ? 'string[]' : type;
  const union = (options as string[]).map((each) => JSON.stringify(each)).join(' | ');
  if (kind === 'select' || kind === 'dropdown') return union;
  return kind === 'multiselect' ? `(${union})[]` : type;
}
