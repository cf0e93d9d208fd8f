import type { Output } from '@croft/flow';
import { isRow, toText } from '../values.ts';
import type { CodeOutput } from './sandbox/messages.ts';

/** Outputs as the rest of a flow sees them. One with `each` becomes one for each row of that field. */
export function expandedOutputs(outputs: readonly CodeOutput[], values: Readonly<Record<string, unknown>>): Output[] {
  return outputs.flatMap((output) => {
    const { each } = output;
    if (each === undefined) return [withoutMethod(output)];
    const rows = values[each];
    if (!Array.isArray(rows)) return [];
    return rows.map((row: unknown, at) => {
      const name = output.name.replace('{n}', String(at + 1));
      const text = toText(isRow(row) ? Object.values(row)[0] : row);
      return withoutMethod({
        ...output,
        name,
        label: text === '' ? output.label.replace('{n}', String(at + 1)) : text,
      });
    });
  });
}

/** An output without what only code needs. */
export function withoutMethod(output: CodeOutput): Output {
  const { method: _method, each: _each, ...rest } = output;
  return rest;
}
