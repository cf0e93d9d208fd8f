import { Component, isRow, OPERATORS, toText } from './component.ts';

/** The conditions for which an empty case means something. Every text contains, starts with and ends with the empty one. */
const ALLOW_EMPTY = new Set(['equals', 'not equals', 'is empty', 'is not empty']);

/** One of several branches, by the first case that fits. */
export class Switch extends Component {
  label = 'Switch';
  description = 'Sends a value to the branch of the first case that its text meets, else to "Otherwise".';
  icon = 'list-tree';
  inputs = [
    {
      name: 'input_value',
      label: 'Value',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
      required: true,
    },
    {
      name: 'input_text',
      label: 'Text to compare',
      kind: 'text',
      accepts: ['Message'],
      default: '',
      help: 'Empty: the text of the value.',
    },
    {
      name: 'operator',
      label: 'Condition',
      kind: 'select',
      options: [
        'equals',
        'not equals',
        'contains',
        'not contains',
        'starts with',
        'ends with',
        'greater than',
        'less than',
        'greater than or equal',
        'less than or equal',
        'is empty',
        'is not empty',
      ],
      default: 'equals',
    },
    { name: 'case_sensitive', label: 'Upper and lower case differ', kind: 'switch', default: false, advanced: true },
    {
      name: 'cases',
      label: 'Cases',
      kind: 'table',
      required: true,
      columns: [{ name: 'match_text', label: 'Compared with', kind: 'text' }],
      help: 'Each case has an output: case_1_result, case_2_result and so on.',
    },
  ];
  outputs = [
    {
      name: 'case_{n}_result',
      label: 'Case {n}',
      types: ['Message', 'Data', 'Table', 'File', 'Any'],
      branch: true,
      each: 'cases',
    },
    { name: 'default_result', label: 'Otherwise', types: ['Message', 'Data', 'Table', 'File', 'Any'], branch: true },
  ];
  input_value: unknown;
  input_text: unknown;
  operator: unknown;
  case_sensitive: unknown;
  cases: unknown;

  run() {
    const fold = (text: string) => (this.case_sensitive === true ? text : text.toLowerCase());
    const compared = toText(this.input_text ?? '');
    const text = fold(compared === '' ? toText(this.input_value) : compared);
    const test = OPERATORS[String(this.operator)] as (value: string, other: string) => boolean;
    const cases = casesIn(this.cases);
    const empty = ALLOW_EMPTY.has(String(this.operator)) ? -1 : cases.indexOf('');
    if (empty !== -1) throw new Error(`Case ${empty + 1} is empty. Enter the text to compare with, or remove it.`);
    const at = cases.findIndex((match) => test(text, fold(match)));
    return { [at === -1 ? 'default_result' : `case_${at + 1}_result`]: this.input_value };
  }
}

function casesIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => toText(isRow(each) ? (each['match_text'] ?? '') : each));
}
