import type { Field } from './component.ts';
import { schemaFault } from './value-schema.ts';

/** The fault of a value, as the end of a sentence; undefined where nothing is. Tests the kind, not the meaning. */
export function wrongValue(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'number':
    case 'slider':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (field.kind === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
      if (field.min !== undefined && value < field.min) return `must be at least ${field.min}`;
      if (field.max !== undefined && value > field.max) return `must be at most ${field.max}`;
      return undefined;
    }
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'select':
      return field.options === undefined || field.options.includes(value as string)
        ? undefined
        : `must be one of: ${field.options.join(', ')}`;
    case 'multiselect':
      return Array.isArray(value) && value.every((each) => field.options?.includes(each as string) !== false)
        ? undefined
        : `must be a list of: ${field.options?.join(', ') ?? 'texts'}`;
    case 'key-value':
      return typeof value === 'object' && !Array.isArray(value) ? undefined : 'must be an object';
    case 'table':
      return Array.isArray(value) ? undefined : 'must be a list of rows';
    case 'text':
    case 'multiline':
    case 'code':
    case 'secret':
      if (field.list === true && Array.isArray(value)) return undefined;
      return typeof value === 'object' ? 'must be a text' : undefined;
    case 'json':
      return field.schema && schemaFault(field.schema, value);
    default:
      return undefined;
  }
}
