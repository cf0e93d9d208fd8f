import type { CroftComponent } from '../services.ts';
import { message, type Row, toText } from '../values.ts';
import { searchText } from './search-text.ts';

const MAX_MATCHES = 10_000;

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
  async run({ inputs, services: { user }, signal }) {
    const found = (await searchText(
      {
        language: 'RE2',
        expression: toText(inputs['pattern']),
        ignoresCase: inputs['ignore_case'] === true,
        text: toText(inputs['input_text']),
        wants: { matches: MAX_MATCHES },
      },
      { user, signal },
    )) as Row[];
    const text = found.map(({ match }) => String(match)).join('\n');
    return { data: found, text: message(found.length === 0 ? 'No matches found' : text) };
  },
};
