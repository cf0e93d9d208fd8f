import type { Progress } from '@croft/flow';
import type { JsonSchema, ModelRef } from '@croft/models';
import { ComponentError, type Services } from '../services.ts';
import { isRow, type Row, toText } from '../values.ts';
import { askModel } from './ask-model.ts';

/** A field of the result. */
interface Column {
  readonly name: string;
  readonly description: string;
  readonly type: keyof typeof JSON_TYPES;
  readonly isList: boolean;
}

const JSON_TYPES = { str: 'string', int: 'integer', float: 'number', bool: 'boolean', dict: 'object' } as const;

export interface Extraction {
  readonly model: ModelRef | undefined;
  readonly system: string;
  readonly text: string;
  /** The value of an `output_schema` field. */
  readonly columns: unknown;
  readonly maxOutputTokens: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks a model for every record of a kind in a text. Each row has the columns asked for, null where the text has no value.
 *
 * @throws ComponentError where the columns or the model's values do not fit; ModelError
 */
export async function* extractRows(
  services: Services,
  { model, system, text, columns, maxOutputTokens, signal }: Extraction,
): AsyncGenerator<Progress, readonly Row[], void> {
  const wanted = readColumns(columns);
  const request = {
    model,
    system,
    messages: [{ role: 'user' as const, text }],
    schema: schemaOf(wanted),
    maxOutputTokens,
    signal,
  };
  const { object } = yield* askModel(services, request, { streams: false });
  const objects = isRow(object) ? object['objects'] : undefined;
  if (!Array.isArray(objects)) throw mismatch('it has no list named objects');
  return objects.map((each: unknown) => {
    if (!isRow(each)) throw mismatch('an entry is not an object');
    return Object.fromEntries(wanted.map((column) => [column.name, valueFor(column, each[column.name])]));
  });
}

function readColumns(value: unknown): readonly Column[] {
  const rows = Array.isArray(value) ? value.filter(isRow) : [];
  const columns = rows.map((row): Column => {
    const type = toText(row['type'] ?? 'str');
    if (!Object.hasOwn(JSON_TYPES, type))
      throw new ComponentError(
        `The result field '${toText(row['name'] ?? '')}' has the unknown type '${type}'.`,
        `Use one of these types: ${Object.keys(JSON_TYPES).join(', ')}.`,
      );
    return {
      name: toText(row['name'] ?? '').trim(),
      description: toText(row['description'] ?? ''),
      type: type as Column['type'],
      isList: row['multiple'] === true || /^true$/i.test(toText(row['multiple'] ?? '')),
    };
  });
  if (columns.length > 0 && columns.every(({ name }) => name !== '')) return columns;
  throw new ComponentError(
    'The fields of the result are not set.',
    'Add at least one row with a name to output_schema.',
  );
}

/** Strict providers require every property, so a missing value is null. */
function schemaOf(columns: readonly Column[]): JsonSchema {
  const properties = Object.fromEntries(
    columns.map(({ name, description, type, isList }) => {
      const one = JSON_TYPES[type];
      const schema = isList ? { type: ['array', 'null'], items: { type: one } } : { type: [one, 'null'] };
      return [name, description === '' ? schema : { ...schema, description }];
    }),
  );
  const item = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return {
    type: 'object',
    properties: { objects: { type: 'array', items: item } },
    required: ['objects'],
    additionalProperties: false,
  };
}

function valueFor(column: Column, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (!column.isList) return single(column, value);
  return (Array.isArray(value) ? value : [value]).map((each: unknown) => single(column, each));
}

function single({ name, type }: Column, value: unknown): unknown {
  switch (type) {
    case 'str':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'dict':
      if (isRow(value)) return value;
      break;
    default: {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number === 'number' && Number.isFinite(number) && (type === 'float' || Number.isInteger(number)))
        return number;
    }
  }
  throw mismatch(`'${name}' is not of the type ${type}`);
}

const mismatch = (what: string): ComponentError =>
  new ComponentError(
    `The selected model produced output that didn't match the expected schema: ${what}. Try again or use a more capable model.`,
    'Use a model that supports structured output, or describe the fields more exactly.',
  );
