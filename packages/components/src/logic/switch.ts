import type { Json, Output } from '@croft/flow';
import type { CroftComponent } from '../services.ts';
import { OPERATORS } from '../processing/table-rows.ts';
import { isRow, toText } from '../values.ts';

const ANY = ['Message', 'Data', 'Table', 'File', 'Any'] as const;
const DEFAULT: Output = { name: 'default_result', label: 'Otherwise', types: ANY, branch: true };

/** One of several branches, by the first case that fits. */
export const switchCases: CroftComponent = {
  descriptor: {
    type: 'Switch',
    label: 'Switch',
    description: 'Sends a value to the branch of the first case that its text meets, else to "Otherwise".',
    category: 'logic',
    icon: 'list-tree',
    keywords: ['case', 'route', 'branch'],
    effects: ['none'],
    fields: [
      { name: 'input_value', label: 'Value', kind: 'handle', accepts: [...ANY], required: true },
      {
        name: 'input_text',
        label: 'Text to compare',
        kind: 'text',
        accepts: ['Message'],
        default: '',
        help: 'Empty: the text of the value.',
      },
      { name: 'operator', label: 'Condition', kind: 'select', options: Object.keys(OPERATORS), default: 'equals' },
      { name: 'case_sensitive', label: 'Upper and lower case differ', kind: 'switch', default: false, advanced: true },
      {
        name: 'cases',
        label: 'Cases',
        kind: 'table',
        required: true,
        columns: [{ name: 'match_text', label: 'Compared with', kind: 'text' }],
        help: 'Each case has an output: case_1_result, case_2_result and so on.',
      },
    ],
    outputs: [DEFAULT],
  },
  ports: (values) => ({
    outputs: [
      ...casesIn(values['cases']).map(
        (match, at): Output => ({
          name: `case_${at + 1}_result`,
          label: match === '' ? `Case ${at + 1}` : match,
          types: ANY,
          branch: true,
        }),
      ),
      DEFAULT,
    ],
  }),
  run({ inputs }) {
    const fold = (text: string) => (inputs['case_sensitive'] === true ? text : text.toLowerCase());
    const compared = toText(inputs['input_text'] ?? '');
    const text = fold(compared === '' ? toText(inputs['input_value']) : compared);
    const test = OPERATORS[String(inputs['operator'])] as (value: string, other: string) => boolean;
    const at = casesIn(inputs['cases'] as Json).findIndex((match) => test(text, fold(match)));
    return { [at === -1 ? DEFAULT.name : `case_${at + 1}_result`]: inputs['input_value'] };
  },
};

function casesIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => toText(isRow(each) ? (each['match_text'] ?? '') : each));
}
