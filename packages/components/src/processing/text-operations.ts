import { inTurns } from '@croft/flow';
import { TextFinder } from '@croft/workspace/find-text';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { joinTexts, message, toText } from '../values.ts';
import { linesThat } from './lines-that.ts';
import { searchText } from './search-text.ts';
import { firstCharacters, lastCharacters, titleCase } from './text-parts.ts';

const BY_LINES = ['Keep lines', 'Drop lines'];
const SEARCHING = [...BY_LINES, 'Replace'];
const COUNTING = ['First lines', 'Last lines', 'First characters', 'Last characters'];
const OPERATIONS = [...BY_LINES, 'Upper case', 'Lower case', 'Title case', 'Trim', 'Replace', ...COUNTING];

/** One simple change of a text. Names of fields that Langflow's component of this type has are the same. */
export const textOperations: CroftComponent = {
  descriptor: {
    type: 'TextOperations',
    label: 'Text operations',
    description:
      'Keeps or drops the lines of a text that contain a word, changes its case, trims it, replaces a part of it, or takes its first or last lines.',
    category: 'processing',
    icon: 'type',
    keywords: [
      'uppercase',
      'lowercase',
      'capital letters',
      'filter lines',
      'grep',
      'strip',
      'substitute',
      'head',
      'tail',
    ],
    effects: ['none'],
    fields: [
      {
        name: 'text_input',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
      {
        name: 'operation',
        label: 'Operation',
        kind: 'select',
        options: OPERATIONS,
        required: true,
        toolParameter: true,
      },
      {
        name: 'search_pattern',
        label: 'Text to find',
        kind: 'text',
        accepts: ['Message'],
        portWhenConnected: true,
        required: true,
        variables: false,
        toolParameter: true,
        showWhen: { field: 'operation', is: SEARCHING },
      },
      {
        name: 'replacement_text',
        label: 'Replacement',
        kind: 'text',
        accepts: ['Message'],
        portWhenConnected: true,
        default: '',
        variables: false,
        toolParameter: true,
        showWhen: { field: 'operation', is: ['Replace'] },
      },
      {
        name: 'use_regex',
        label: 'Regular expression',
        kind: 'switch',
        default: false,
        showWhen: { field: 'operation', is: SEARCHING },
        help: 'RE2 syntax: linear time, without backreferences and lookaround. A replacement may use groups: $1, $<name>.',
      },
      {
        name: 'ignore_case',
        label: 'Ignore case',
        kind: 'switch',
        default: false,
        advanced: true,
        showWhen: { field: 'operation', is: SEARCHING },
      },
      {
        name: 'count',
        label: 'Number',
        kind: 'integer',
        default: 10,
        min: 0,
        max: 1_000_000,
        toolParameter: true,
        showWhen: { field: 'operation', is: COUNTING },
      },
      {
        name: 'strip_mode',
        label: 'Ends',
        kind: 'select',
        options: ['both', 'left', 'right'],
        default: 'both',
        advanced: true,
        showWhen: { field: 'operation', is: ['Trim'] },
      },
    ],
    outputs: [{ name: 'message', label: 'Text', types: ['Message'] }],
  },
  async run({ inputs, services, signal }) {
    const text = toText(inputs['text_input']);
    const operation = toText(inputs['operation']);
    if (SEARCHING.includes(operation))
      return { message: message(await searched(text, operation, inputs, { services, signal })) };
    const change = Object.hasOwn(CHANGES, operation) ? CHANGES[operation] : undefined;
    if (change === undefined)
      throw new ComponentError(
        `There is no operation '${operation.slice(0, 100)}'.`,
        `Use one of: ${OPERATIONS.join(', ')}.`,
      );
    const changed = await change(text, inputs);
    signal.throwIfAborted();
    return { message: message(changed) };
  },
};

type Inputs = Readonly<Record<string, unknown>>;

const countOf = ({ count }: Inputs): number => Number(count ?? 10);

const CHANGES: Readonly<Record<string, (text: string, inputs: Inputs) => string | Promise<string>>> = {
  'Upper case': (text) => text.toUpperCase(),
  'Lower case': (text) => text.toLowerCase(),
  'Title case': (text) => inTurns(titleCase(text)),
  Trim: (text, { strip_mode: ends }) =>
    ends === 'left' ? text.trimStart() : ends === 'right' ? text.trimEnd() : text.trim(),
  'First lines': (text, inputs) => linesThat(text, (_, at) => at < countOf(inputs)),
  'Last lines': (text, inputs) => linesThat(text, (_, at, length) => at >= length - countOf(inputs)),
  'First characters': (text, inputs) => firstCharacters(text, countOf(inputs)),
  'Last characters': (text, inputs) => lastCharacters(text, countOf(inputs)),
};

/** Lines with a text, or the text with another one in its place. */
async function searched(
  text: string,
  operation: string,
  inputs: Inputs,
  { services: { user }, signal }: { readonly services: Services; readonly signal: AbortSignal },
): Promise<string> {
  const wanted = toText(inputs['search_pattern']);
  const replacement = toText(inputs['replacement_text'] ?? '');
  const ignoresCase = inputs['ignore_case'] === true;
  if (wanted === '')
    throw new ComponentError(
      'The text to find is empty.',
      "Set 'search_pattern', or connect a text that is not empty.",
    );
  const isLines = BY_LINES.includes(operation);
  const keeps = operation === 'Keep lines';
  if (inputs['use_regex'] === true || (ignoresCase && !isLines)) {
    const isExpression = inputs['use_regex'] === true;
    const found = await searchText(
      {
        language: 'RE2',
        expression: isExpression ? wanted : wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
        ignoresCase,
        text,
        wants: isLines
          ? { lines: keeps ? 'with a match' : 'without one' }
          : { replacement: isExpression ? replacement : replacement.replaceAll('$', '$$$$') },
      },
      { user, signal },
    );
    return joinTexts([found as string], '', String);
  }
  const finder = new TextFinder(ignoresCase ? wanted.toLowerCase() : wanted);
  if (!isLines) return joinTexts(partsBetween(text, finder), replacement, String);
  const isFound = (line: string) => finder.first(ignoresCase ? line.toLowerCase() : line) !== -1;
  return linesThat(text, (line) => isFound(line) === keeps);
}

/** The parts of a text before, between and behind the places of another. */
function partsBetween(text: string, finder: TextFinder): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (let at = finder.first(text); at !== -1; at = finder.first(text, end)) {
    parts.push(text.slice(end, at));
    end = at + finder.wanted.length;
  }
  return [...parts, text.slice(end)];
}
