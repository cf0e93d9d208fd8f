import { ComponentError, type CroftComponent } from '../services.ts';
import { MAX_SEARCH_MS, searchInThread } from '../user/search-in-thread.ts';
import { isRow, toData, toRows, toText } from '../values.ts';

const MAX_LENGTH = 1_000;

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
  async run({ inputs, services: { user }, signal }) {
    const expression = String(inputs['expression']);
    if (expression.length > MAX_LENGTH)
      throw new ComponentError(`The expression is longer than ${MAX_LENGTH} characters.`, 'Use two queries.');
    const value = JSON.stringify(jsonOf(inputs['data'])) ?? 'null';
    const searched = await searchInThread({ language: 'JMESPath', expression, value }, { user, signal });
    if (searched === undefined)
      throw new ComponentError(
        `The expression takes longer than ${MAX_SEARCH_MS / 1_000} seconds on this value.`,
        'Select a part of the value first, or nest fewer expressions.',
      );
    if (!searched.ok)
      throw new ComponentError(
        `The expression could not be applied: ${searched.message}`,
        'Check the syntax: join names by dots, quote texts with single quotes and numbers with backquotes.',
      );
    const found = JSON.parse(searched.found) as unknown;
    const isPlain = typeof found !== 'object' || found === null;
    return {
      data_output: isPlain ? { value: found } : toData(found),
      dataframe: rowsOf(found),
      message: {
        text: typeof found === 'string' ? found : found === null ? '' : JSON.stringify(found, null, 2),
      },
    };
  },
};

/** A list of plain values becomes rows with `value`. */
function rowsOf(found: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(found)) return found === null ? [] : isRow(found) ? [found] : [{ value: found }];
  return found.map((each: unknown) => (isRow(each) ? each : { value: each }));
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
