import { ComponentError, type CroftComponent } from '../services.ts';
import { message, type Row, toText } from '../values.ts';

const MAX_MATCHES = 10_000;
/** Each search is linear in the text, all of them together are not. */
const MAX_SEARCH_MS = 2_000;

/** Parts of a text that match a regular expression. */
export const regexExtractor: CroftComponent = {
  descriptor: {
    type: 'RegexExtractor',
    label: 'Regex extract',
    description: 'Finds all matches of a regular expression in a text, with their groups.',
    category: 'processing',
    icon: 'regex',
    keywords: ['regular expression', 'match', 'pattern'],
    effects: ['none'],
    fields: [
      {
        name: 'input_text',
        label: 'Text',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        toolParameter: true,
      },
      {
        name: 'pattern',
        label: 'Expression',
        kind: 'text',
        required: true,
        variables: false,
        toolParameter: true,
        help: 'RE2 syntax: linear time, without backreferences and lookaround.',
      },
      { name: 'ignore_case', label: 'Ignore case', kind: 'switch', default: false, advanced: true },
    ],
    outputs: [
      { name: 'data', label: 'Matches', types: ['Table'], help: 'match, group_1 …, and named groups' },
      { name: 'text', label: 'Text', types: ['Message'] },
    ],
  },
  async run({ inputs, signal }) {
    const { RE2JS } = await import('re2js');
    const expression = toText(inputs['pattern']);
    let compiled: InstanceType<typeof RE2JS>;
    try {
      compiled = RE2JS.compile(expression, inputs['ignore_case'] === true ? RE2JS.CASE_INSENSITIVE : 0);
    } catch (error) {
      throw new ComponentError(
        `The expression is not valid: ${error instanceof Error ? error.message : String(error)}.`,
        'Use RE2 syntax, without backreferences such as \\1 and lookaround such as (?=…).',
      );
    }
    const found: Row[] = [];
    const matcher = compiled.matcher(toText(inputs['input_text']));
    const end = performance.now() + MAX_SEARCH_MS;
    while (found.length < MAX_MATCHES && matcher.find()) {
      signal.throwIfAborted();
      if (performance.now() > end)
        throw new ComponentError(
          `The expression takes too long on this text: ${found.length} matches in ${MAX_SEARCH_MS / 1_000} seconds.`,
          'Use an expression without alternatives that begin alike, or split the text first.',
        );
      const row: Record<string, unknown> = { match: matcher.group() };
      for (let group = 1; group <= matcher.groupCount(); group++) row[`group_${group}`] = matcher.group(group);
      for (const name of Object.keys(compiled.namedGroups())) row[name] = matcher.group(name);
      found.push(row);
    }
    const text = found.map(({ match }) => String(match)).join('\n');
    return { data: found, text: message(found.length === 0 ? 'No matches found' : text) };
  },
};
