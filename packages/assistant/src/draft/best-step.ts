import type { Descriptor } from '@croft/flow';
import type { Link, Step } from './chain.ts';
import { type KnownRows, withColumns } from './column-names.ts';
import { conditionFor, isWholeCondition } from './condition.ts';
import { covers, vocabularyOf, wordsOfValues } from './coverage.ts';
import type { RequestClause } from './request-parts.ts';
import { rowValuesFor } from './row-values.ts';
import { stemsOf } from './words.ts';

/** Without values, these give the number of all rows, or what they got. */
const WITH_VALUES: ReadonlySet<string> = new Set(['AggregateRows', 'JSONQuery', 'MergeData']);
/** Gives the first row unless a rule reads another place. */
const ONE_ROW = 'ListItem';
/** Asks a model about each row: `run` and `row` do not ask for that. */
const MODEL_PER_ROW = 'BatchRunComponent';
const NAMES_MODEL = /\b(?:models?|llm|ai|prompts?|batch)\b/i;

/** The component that has most of the words of a clause, and shares most of them. */
export function bestStep(
  candidates: readonly Descriptor[],
  { text, words }: Pick<RequestClause, 'text' | 'words'>,
  known: ReadonlySet<string>,
  { request, rows }: { readonly request: string; readonly rows: KnownRows },
): readonly Step[] {
  const [best] = candidates
    .flatMap((descriptor) => {
      const condition = conditionFor(descriptor, text);
      const isRead = Object.keys(condition).length > 0 && isWholeCondition(text, condition);
      const read = { ...condition, ...rowValuesFor(descriptor, text, request) };
      const config = withColumns(read, text, rows);
      return config === undefined ? [] : [{ descriptor, config, isRead, named: wordsOfValues(read) }];
    })
    .filter(
      ({ descriptor, config, isRead, named }) =>
        isComplete(descriptor, config) &&
        descriptor.type !== ONE_ROW &&
        (descriptor.type !== MODEL_PER_ROW || NAMES_MODEL.test(text)) &&
        (!WITH_VALUES.has(descriptor.type) || Object.keys(config).length > 0) &&
        (isRead || covers(new Set([...known, ...vocabularyOf(descriptor), ...named]), words)),
    )
    .map(({ descriptor, config, isRead }) => ({
      descriptor,
      config,
      isRead,
      score: scoreOf(descriptor, words) + Object.keys(config).length,
    }))
    .filter(({ score }) => score >= 2)
    .sort((one, other) => other.score - one.score);
  return best === undefined
    ? []
    : [{ descriptor: best.descriptor, config: best.config, ...(best.isRead && { read: text }) }];
}

/** How many words a component has of these. Words of its own name count twice. */
export function scoreOf({ label, type, description, keywords = [] }: Descriptor, words: readonly string[]): number {
  const own = new Set([label, type, ...keywords].flatMap(stemsOf));
  const about = new Set(stemsOf(description));
  return [...new Set(words)].reduce((sum, word) => sum + (own.has(word) ? 2 : about.has(word) ? 1 : 0), 0);
}

/** Whether a component needs no value beside these but the one that comes in. */
function isComplete(descriptor: Descriptor, config: Link['config']): boolean {
  const open = openFields(descriptor, config);
  return open.length === 1 && (open[0]?.accepts?.length ?? 0) > 0;
}

/** The required fields of a component that have no value beside these. */
export function openFields({ fields }: Descriptor, config: Link['config']) {
  // A table of fields to read or columns to make is the user's to fill in, whatever it begins with.
  return fields.filter(
    ({ name, required, kind, default: value, showWhen }) =>
      required === true &&
      showWhen === undefined &&
      config[name] === undefined &&
      (value === undefined || value === '' || kind === 'table'),
  );
}
