import { isValueType, type Json, type ValueSchema } from '@croft/flow';
import { WrongPort } from './wrong-port.ts';

const CHECKED = ['type', 'enum', 'minimum', 'maximum', 'items', 'properties', 'required', 'additionalProperties'];
/** Keywords that describe a value and do not restrict it. */
const NOTES = new Set(['$schema', 'title', 'description', 'default', 'examples']);
const MAX_DEPTH = 20;

/**
 * The schema of a JSON field in code. Refuses keywords that Croft does not check: a value would seem to be right.
 *
 * @throws WrongPort
 */
export function schemaOf(value: unknown, field: string, depth = 0): ValueSchema {
  const fail = (what: string) => new WrongPort(`The schema of '${field}' ${what}.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail('must be an object');
  if (depth > MAX_DEPTH) throw fail(`has more than ${MAX_DEPTH} levels`);
  const declared = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(declared).find((each) => !CHECKED.includes(each) && !NOTES.has(each));
  if (unknown !== undefined) throw fail(`uses '${unknown}'. Use only: ${CHECKED.join(', ')}`);
  const { type, enum: values, minimum, maximum, items, properties, required, additionalProperties } = declared;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).every(isValueType))
    throw fail('has a type that is not object, array, string, number, integer, boolean or null');
  if (values !== undefined && !Array.isArray(values)) throw fail('needs a list as enum');
  if (required !== undefined && !(Array.isArray(required) && required.every((each) => typeof each === 'string')))
    throw fail('needs a list of names as required');
  for (const bound of [minimum, maximum])
    if (bound !== undefined && typeof bound !== 'number') throw fail('needs numbers as minimum and maximum');
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    throw fail('needs true or false as additionalProperties');
  if (properties !== undefined && (typeof properties !== 'object' || properties === null || Array.isArray(properties)))
    throw fail('needs an object as properties');
  const parts = Object.entries((properties ?? {}) as object).map(([name, each]: [string, unknown]) => [
    name,
    schemaOf(each, field, depth + 1),
  ]);
  return {
    ...(type !== undefined && { type: type as NonNullable<ValueSchema['type']> }),
    ...(values !== undefined && { enum: values as Json[] }),
    ...(minimum !== undefined && { minimum: minimum as number }),
    ...(maximum !== undefined && { maximum: maximum as number }),
    ...(items !== undefined && { items: schemaOf(items, field, depth + 1) }),
    ...(properties !== undefined && { properties: Object.fromEntries(parts) as Record<string, ValueSchema> }),
    ...(required !== undefined && { required: required as string[] }),
    ...(additionalProperties !== undefined && { additionalProperties: additionalProperties as boolean }),
  };
}
