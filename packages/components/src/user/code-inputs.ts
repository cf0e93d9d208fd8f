import type { Field } from '@croft/flow';
import { toText } from '../values.ts';

/** The values of the declared fields, as code gets them: plain JSON, and texts where the field is a text. */
export function inputsOf(
  fields: readonly Field[],
  inputs: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, kind, list } of fields) {
    const value = inputs[name];
    if (value === undefined) continue;
    const isText = (kind === 'text' || kind === 'multiline') && list !== true;
    values[name] = isText ? toText(value) : value;
  }
  return values;
}
