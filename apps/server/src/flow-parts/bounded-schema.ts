/** A JSON Schema: `true` and `false` accept everything and nothing. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

/** A schema whose check takes at most `size` comparisons for each value. */
export interface BoundedSchema {
  readonly schema: Schema;
  readonly size: number;
}

const MAX_SIZE = 2_000;
const MAX_DEPTH = 32;
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', ...COUNTS];

/**
 * The part of a server's schema that can be checked in bounded time. It accepts everything that the schema accepts, and may
 * accept more: `pattern`, `format`, `not`, conditions and references to other documents are left out, because a hostile
 * server could choose them to hold this process. Each reference inside the schema is replaced by its target.
 *
 * @returns undefined for a schema that is too large
 */
export function boundSchema(root: unknown): BoundedSchema | undefined {
  let size = 0;

  function bound(schema: unknown, depth: number, references: readonly string[]): Schema {
    size += 1;
    if (typeof schema === 'boolean') return schema;
    // A nested `$id` changes the targets of references below it.
    if (!isObject(schema) || depth > MAX_DEPTH || size > MAX_SIZE || (depth > 0 && '$id' in schema)) return true;
    const inner = (each: unknown) => bound(each, depth + 1, references);
    if ('$ref' in schema) {
      const { $ref } = schema;
      if (typeof $ref !== 'string' || references.includes($ref) || schema['nullable'] === true) return true;
      return bound(find(root, $ref), depth + 1, [...references, $ref]);
    }
    const kept: Record<string, unknown> = {};
    for (const key of NUMBERS) if (typeof schema[key] === 'number') kept[key] = schema[key];
    const type = typeOf(schema);
    if (type !== undefined) kept['type'] = type;
    const choices = 'const' in schema ? [schema['const']] : schema['enum'];
    if (Array.isArray(choices) && choices.every((each) => !isObject(each) && !Array.isArray(each))) {
      size += choices.length;
      kept['enum'] = schema['nullable'] === true ? [...(choices as unknown[]), null] : choices;
    }
    // Two weaker branches can accept a value that one of the original ones accepts.
    const any = schema['anyOf'] ?? schema['oneOf'];
    if (schema['nullable'] !== true) {
      if (Array.isArray(any) && any.length > 0) kept['anyOf'] = any.map(inner);
      if (Array.isArray(schema['allOf'])) kept['allOf'] = schema['allOf'].map(inner);
    }
    return { ...kept, ...ofMembers(schema, inner) };
  }

  function ofMembers(schema: Record<string, unknown>, inner: (schema: unknown) => Schema): Record<string, unknown> {
    const { properties, required, additionalProperties, items } = schema;
    const kept: Record<string, unknown> = {};
    if (isObject(properties))
      kept['properties'] = Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, inner(each)]));
    if (Array.isArray(required) && required.every((each) => typeof each === 'string')) {
      size += required.length;
      kept['required'] = required;
    }
    if (additionalProperties !== undefined && !('patternProperties' in schema))
      kept['additionalProperties'] = inner(additionalProperties);
    if (items !== undefined && !('prefixItems' in schema)) kept['items'] = inner(items);
    return kept;
  }

  const schema = bound(root, 0, []);
  return size > MAX_SIZE ? undefined : { schema, size };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Known types; undefined where the schema has another one. OpenAPI writes `nullable` instead of a type. */
function typeOf({ type, nullable }: Record<string, unknown>): readonly unknown[] | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.length === 0 || !types.every((each) => TYPES.includes(each as string))) return undefined;
  return nullable === true ? [...types, 'null'] : types;
}

/** The target of a reference inside the document; for others `true`, a schema that accepts everything. */
function find(root: unknown, reference: string): unknown {
  if (!/^#(\/|$)/.test(reference)) return true;
  let found = root;
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return true;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
