import { runInNewContext } from 'node:vm';
import { ComponentError, type CroftComponent } from '../services.ts';
import { isRow, toData, toRows, toText } from '../values.ts';

const MAX_LENGTH = 1_000;
/** Nested `map` and `$` make the number of steps a power of the number of items. */
const MAX_QUERY_MS = 2_000;

/** Parts of a record or rows, by a JMESPath expression. */
export const jsonQuery: CroftComponent = {
  descriptor: {
    type: 'JSONQuery',
    label: 'JSON query',
    description: 'Selects parts of a record or rows by a JMESPath expression, such as items[?price > `10`].name.',
    category: 'processing',
    icon: 'braces',
    keywords: ['jmespath', 'select', 'path'],
    aliases: ['SelectData', 'JSONCleaner'],
    effects: ['none'],
    fields: [
      {
        name: 'data',
        label: 'Data',
        kind: 'handle',
        accepts: ['Data', 'Table', 'Message'],
        required: true,
        help: 'A text is read as JSON.',
      },
      {
        name: 'expression',
        label: 'Expression',
        kind: 'text',
        default: '@',
        required: true,
        variables: false,
        help: 'The syntax is at jmespath.site. @ is the whole value.',
      },
    ],
    outputs: [
      { name: 'data_output', label: 'Data', types: ['Data'] },
      { name: 'dataframe', label: 'Rows', types: ['Table'] },
      { name: 'message', label: 'Text', types: ['Message'] },
    ],
  },
  async run({ inputs }) {
    const expression = String(inputs['expression']);
    if (expression.length > MAX_LENGTH)
      throw new ComponentError(`The expression is longer than ${MAX_LENGTH} characters.`, 'Use two queries.');
    const { search } = await import('@jmespath-community/jmespath');
    let found: unknown;
    try {
      const value = withoutPrototypes(jsonOf(inputs['data'])) as Parameters<typeof search>[0];
      found = bounded(() => search(value, expression));
    } catch (error) {
      if (error instanceof ComponentError) throw error;
      throw new ComponentError(
        `The expression could not be applied: ${error instanceof Error ? error.message : String(error)}`,
        'Check the syntax: join names by dots, quote texts with single quotes and numbers with backquotes.',
      );
    }
    const isPlain = typeof found !== 'object' || found === null;
    return {
      data_output: isPlain ? { value: found } : toData(found),
      dataframe: rowsOf(found),
      message: {
        text:
          typeof found === 'string'
            ? found
            : found === null || found === undefined
              ? ''
              : JSON.stringify(found, null, 2),
      },
    };
  },
};

/** Runs a synchronous function and ends it at the deadline, wherever it is: `node:vm` serves only as a watchdog. */
function bounded<Result>(work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: MAX_QUERY_MS }) as Result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ComponentError(
      `The expression takes longer than ${MAX_QUERY_MS / 1_000} seconds on this value.`,
      'Select a part of the value first, or nest fewer expressions.',
    );
  }
}

/** A list of plain values becomes rows with `value`. */
function rowsOf(found: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(found)) return found === null ? [] : isRow(found) ? [found] : [{ value: found }];
  return found.map((each: unknown) => (isRow(each) ? each : { value: each }));
}

/** A copy whose records inherit nothing: the library looks names up with their prototypes, such as `constructor`. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRow(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, each] of Object.entries(value)) copy[name] = withoutPrototypes(each);
  return copy;
}

function jsonOf(value: unknown): unknown {
  const isMessage = typeof value === 'string' || (isRow(value) && typeof value['text'] === 'string');
  if (!isMessage) return Array.isArray(value) ? toRows(value) : value;
  try {
    return JSON.parse(toText(value)) as unknown;
  } catch {
    return value;
  }
}
