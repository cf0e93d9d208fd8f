import type { Descriptor } from '@croft/flow';
import { DROPS, EXCEPT } from './text-step.ts';
import { escaped } from './words.ts';

/**
 * The values of a component for a condition in a clause, such as `amount is greater than 15`. A clause that drops rows gets
 * the opposite condition. Without an opposite condition in the component, the result is empty.
 */
export function conditionFor({ fields }: Descriptor, clause: string): Readonly<Record<string, string>> {
  const at = fields.findIndex(({ kind, options }) => kind === 'select' && (options?.length ?? 0) > 1);
  const choice = fields[at];
  const column = fields.slice(0, at).find(({ kind, required }) => kind === 'text' && required === true);
  const value = fields.slice(at + 1).find(({ kind }) => kind === 'text');
  if (choice === undefined || column === undefined || value === undefined) return {};
  const options = [...(choice.options ?? [])].sort((one, other) => other.length - one.length);
  const isDropped = DROPS.test(clause) !== EXCEPT.test(clause);
  const chosen = (option: string) => (isDropped ? oppositeOf(option, options) : option);
  for (const option of options) {
    const found = new RegExp(
      `(?<![\\w.])([\\w.]+)\\s+(?:(?:is|are)\\s+)?${escaped(option)}\\s+["'\`]?([\\w.-]+)`,
      'i',
    ).exec(clause);
    // `is not greater than` is another condition.
    if (found?.[1] === undefined || found[2] === undefined || /^(?:not|never)$/i.test(found[1])) continue;
    const kept = chosen(option);
    return kept === undefined ? {} : { [column.name]: found[1], [choice.name]: kept, [value.name]: found[2] };
  }
  const [, equal, name] = OF_VALUE.exec(clause) ?? [];
  const option = chosen(options.find((each) => /^equals?$/i.test(each)) ?? '');
  if (equal === undefined || name === undefined || option === undefined || option === '') return {};
  return { [column.name]: name, [choice.name]: option, [value.name]: equal };
}

/** `not equals` for `equals`, and the other way around. */
function oppositeOf(option: string, options: readonly string[]): string | undefined {
  const other = option.replace(/\bnot\s+/i, '');
  return options.find((each) =>
    other === option ? each.replace(/\bnot\s+/i, '') === option && each !== option : each === other,
  );
}

/** A value before the name of its column, such as `from the North region`. Values in capitals are names. */
const OF_VALUE = /\b(?:from|in|of|for|with)\s+the\s+["'`]?([A-Z][\w-]*)["'`]?\s+([a-z][\w.]*)/;
