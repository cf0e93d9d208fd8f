import { type Field, type FieldKind, type Json, portTypeOf, type PortType } from '@croft/flow';
import { schemaOf } from './declared-schema.ts';
import type { CodeOutput } from './messages.ts';
import { WrongPort } from './wrong-port.ts';

const KINDS: ReadonlySet<string> = new Set<FieldKind>([
  'text',
  'multiline',
  'number',
  'integer',
  'slider',
  'switch',
  'select',
  'multiselect',
  'key-value',
  'table',
  'json',
  'file',
  'handle',
]);
/** Types of fields as TypeScript and other builders name them. */
const KIND_ALIASES: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  str: 'text',
  boolean: 'switch',
  bool: 'switch',
  float: 'number',
  int: 'integer',
  dict: 'key-value',
  object: 'json',
  dropdown: 'select',
};
/** Types whose values are JSON: others cannot enter the sandbox. */
const PLAIN: ReadonlySet<PortType> = new Set<PortType>(['Message', 'Data', 'Table', 'File', 'Any']);
const NAME = /^[A-Za-z_]\w{0,99}$/;
/** Names of inputs that are members of every component, or ports that every component that runs code has. */
const TAKEN_INPUTS = new Set(
  'inputs outputs label displayName display_name description icon log run code wait_for toString valueOf then'.split(
    ' ',
  ),
);
/** Names that mean something to the language or the engine. */
const TAKEN = new Set(['constructor', 'prototype', '__proto__', 'error', 'component_as_tool']);

export type Ports = { readonly fields: readonly Field[]; readonly outputs: readonly CodeOutput[] };

/** @throws WrongPort */
export function fieldOf(value: unknown, index: number): Field {
  const declared = recordOf(value, `inputs[${index}]`);
  const name = nameOf(declared, `inputs[${index}]`);
  if (TAKEN_INPUTS.has(name)) throw reserved(name, `inputs[${index}]`);
  const types = typesOf(declared['accepts'] ?? declared['input_types'], name, true);
  const kind = kindOf(declared['kind'] ?? declared['type'], types, name);
  const accepts =
    types ?? (kind === 'text' || kind === 'multiline' ? ['Message'] : kind === 'handle' ? ['Any'] : undefined);
  const field: Record<string, unknown> = { name, kind, label: textOf(declared, LABELS) ?? name };
  const help = textOf(declared, ['help', 'info', 'description']);
  if (help !== undefined) field['help'] = help;
  const placeholder = textOf(declared, ['placeholder']);
  if (placeholder !== undefined) field['placeholder'] = placeholder;
  if (accepts !== undefined) field['accepts'] = accepts;
  for (const flag of ['required', 'advanced', 'list', 'toolParameter'] as const)
    if (declared[flag] === true || declared[SNAKE[flag]] === true) field[flag] = true;
  for (const flag of ['keepsLists', 'gate', 'portWhenConnected'] as const)
    if (declared[flag] === true) field[flag] = true;
  if (declared['variables'] === false) field['variables'] = false;
  for (const bound of ['min', 'max', 'step'] as const)
    if (typeof declared[bound] === 'number') field[bound] = declared[bound];
  const fallback = declared['default'] ?? declared['value'];
  if (fallback !== undefined && fallback !== null) field['default'] = fallback;
  const { options } = declared;
  if (Array.isArray(options)) field['options'] = options.map(String);
  if (kind === 'table' && declared['columns'] !== undefined) field['columns'] = columnsOf(declared['columns'], name);
  if (kind === 'json' && declared['schema'] !== undefined) field['schema'] = schemaOf(declared['schema'], name);
  for (const condition of ['showWhen', 'requiredWhen'] as const)
    if (declared[condition] !== undefined) field[condition] = conditionOf(condition, declared[condition], name);
  if (kind === 'select' && !Array.isArray(options)) throw new WrongPort(`Input '${name}' is a select without options.`);
  return field as unknown as Field;
}

/** @throws WrongPort */
export function outputOf(value: unknown, index: number): CodeOutput {
  const declared = recordOf(value, `outputs[${index}]`);
  const { each } = declared;
  const name = each === undefined ? nameOf(declared, `outputs[${index}]`) : patternOf(declared, index);
  const types = typesOf(declared['types'] ?? declared['type'], name) ?? ['Any'];
  const help = textOf(declared, ['help', 'info', 'description']);
  const { method } = declared;
  if (method !== undefined && (typeof method !== 'string' || !NAME.test(method) || method === 'constructor'))
    throw new WrongPort(`The method of output '${name}' must be the name of a method of the class.`);
  return {
    name,
    label: textOf(declared, LABELS) ?? name,
    types,
    ...(help !== undefined && { help }),
    ...(method !== undefined && { method: method as string }),
    ...(declared['branch'] === true && { branch: true }),
    ...(declared['loop'] === true && { loop: true }),
    ...(declared['showWhen'] !== undefined && { showWhen: conditionOf('showWhen', declared['showWhen'], name) }),
    ...(each !== undefined && { each: each as string }),
  };
}

function columnsOf(value: unknown, name: string): NonNullable<Field['columns']> {
  if (!Array.isArray(value) || value.length > 50) throw new WrongPort(`The columns of '${name}' must be a list.`);
  return value.map((each: unknown, index) => {
    const column = recordOf(each, `columns[${index}] of '${name}'`);
    const { kind = 'text', options } = column;
    if (kind !== 'text' && kind !== 'switch' && kind !== 'select')
      throw new WrongPort(`${shown(kind)} of '${name}' is not a kind of column. Use one of: text, switch, select.`);
    const own = nameOf(column, `columns[${index}] of '${name}'`);
    return {
      name: own,
      label: textOf(column, LABELS) ?? own,
      kind,
      ...(Array.isArray(options) && { options: options.map(String) }),
    };
  });
}

function conditionOf(condition: string, value: unknown, name: string): NonNullable<Field['showWhen']> {
  const { field, is } = recordOf(value, `${condition} of '${name}'`);
  if (typeof field !== 'string' || !Array.isArray(is))
    throw new WrongPort(`${condition} of '${name}' must be like { field: 'mode', is: ['Join'] }.`);
  return { field, is: is as Json[] };
}

/** The name of an output that stands for one a row. */
function patternOf({ name, each }: Declared, index: number): string {
  if (typeof each !== 'string' || typeof name !== 'string' || !name.includes('{n}'))
    throw new WrongPort(`outputs[${index}] needs a name with {n}, because it stands for one output a row.`);
  nameOf({ name: name.replace('{n}', '1') }, `outputs[${index}]`);
  return name;
}

const LABELS = ['label', 'displayName', 'display_name'];
const SNAKE = { required: 'required', advanced: 'advanced', list: 'is_list', toolParameter: 'tool_mode' } as const;

type Declared = Readonly<Record<string, unknown>>;

function recordOf(value: unknown, where: string): Declared {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Declared;
  throw new WrongPort(`${where} must be an object with a name.`);
}

function nameOf({ name }: Declared, where: string): string {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new WrongPort(`${where} needs a name of letters, digits and underscores.`);
  if (TAKEN.has(name)) throw reserved(name, where);
  return name;
}

function textOf(declared: Declared, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = declared[key];
    if (typeof value === 'string' && value !== '') return value.slice(0, 1_000);
  }
  return undefined;
}

function typesOf(value: unknown, name: string, mayBeEmpty = false): PortType[] | undefined {
  if (value === undefined) return undefined;
  const names = Array.isArray(value) ? (value as unknown[]) : [value];
  if (names.length === 0 && mayBeEmpty) return [];
  const types = names
    .map((each) => (typeof each === 'string' ? portTypeOf(each) : undefined))
    .map((each) => (each && PLAIN.has(each) ? each : undefined));
  const wrong = types.indexOf(undefined);
  if (wrong >= 0 || types.length === 0)
    throw new WrongPort(
      `${shown(names[wrong])} of '${name}' is not a port type. Use Message, Data, Table, File or Any.`,
    );
  return types as PortType[];
}

function kindOf(value: unknown, types: readonly PortType[] | undefined, name: string): FieldKind {
  if (value === undefined) return types === undefined || types.includes('Message') ? 'text' : 'handle';
  if (typeof value === 'string' && Object.hasOwn(KIND_ALIASES, value)) return KIND_ALIASES[value] as FieldKind;
  if (typeof value === 'string' && KINDS.has(value)) return value as FieldKind;
  throw new WrongPort(
    `${shown(value)} of input '${name}' is not a kind of field. Use one of: ${[...KINDS].join(', ')}.`,
  );
}

/** A literal as JSON, cut. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100);

const reserved = (name: string, where: string): WrongPort =>
  new WrongPort(`The name '${name}' of ${where} is reserved. Choose another one.`);
