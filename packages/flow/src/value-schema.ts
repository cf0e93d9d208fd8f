import type { Json } from './document.ts';

const TYPES = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
} as const;

export type ValueType = keyof typeof TYPES;

/** The form of a JSON value: the keywords of JSON Schema that Croft checks. */
export interface ValueSchema {
  readonly type?: ValueType | readonly ValueType[];
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  /** False: only `properties` may be there. */
  readonly additionalProperties?: boolean;
}

export const isValueType = (text: unknown): text is ValueType => typeof text === 'string' && Object.hasOwn(TYPES, text);

/** The first fault of a value, as the end of a sentence that names its place, such as `must have a number at 'rows[0].price'`. */
export function schemaFault(schema: ValueSchema, value: unknown, place = ''): string | undefined {
  const must = (what: string) => (place === '' ? `must be ${what}` : `must have ${what} at '${place}'`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return must(types.map((type) => TYPES[type]).join(' or '));
  if (schema.enum && !schema.enum.some((each) => JSON.stringify(each) === JSON.stringify(value)))
    return must(`one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`);
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return must(`a number of at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) return must(`a number of at most ${schema.maximum}`);
  }
  if (Array.isArray(value)) return listFault(schema, value, place);
  if (typeof value === 'object' && value !== null) return objectFault(schema, value, place);
  return undefined;
}

function listFault({ items }: ValueSchema, value: readonly unknown[], place: string): string | undefined {
  if (items === undefined) return undefined;
  for (const [at, each] of value.entries()) {
    const fault = schemaFault(items, each, `${place}[${at}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function objectFault(schema: ValueSchema, value: object, place: string): string | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  const placeOf = (name: string) => (place === '' ? name : `${place}.${name}`);
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `needs '${placeOf(missing)}'`;
  for (const [name, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own === undefined && additionalProperties === false)
      return `must not have '${placeOf(name)}', only ${Object.keys(properties).join(', ') || 'an empty object'}`;
    const fault = own && schemaFault(own, each, placeOf(name));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isOfType(value: unknown, type: ValueType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
