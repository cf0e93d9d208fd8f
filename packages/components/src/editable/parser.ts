import { Component, fillVariables, joinTexts, message, type Row, toRows, toText } from './component.ts';

/** Records as text, by a pattern. */
export class ParserComponent extends Component {
  label = 'Parser';
  description = 'Writes each record as text by a pattern such as "{name}: {price}".';
  icon = 'file-text';
  inputs = [
    { name: 'input_data', label: 'Data', kind: 'handle', accepts: ['Table', 'Data'], required: true },
    { name: 'mode', label: 'Mode', kind: 'select', options: ['Parser', 'Stringify'], default: 'Parser' },
    {
      name: 'pattern',
      label: 'Pattern',
      kind: 'multiline',
      default: 'Text: {text}',
      variables: false,
      showWhen: { field: 'mode', is: ['Parser'] },
      accepts: ['Message'],
      portWhenConnected: true,
    },
    {
      name: 'sep',
      label: 'Separator',
      kind: 'text',
      default: '\n',
      variables: false,
      advanced: true,
      accepts: ['Message'],
      portWhenConnected: true,
    },
    {
      name: 'if_empty',
      label: 'Text without records',
      kind: 'text',
      default: '',
      variables: false,
      advanced: true,
      help: 'The text where there are no records.',
      showWhen: { field: 'mode', is: ['Parser'] },
      accepts: [],
    },
  ];
  outputs = [{ name: 'parsed_text', label: 'Text', types: ['Message'] }];
  input_data: unknown;
  mode: unknown;
  pattern: unknown;
  sep: unknown;
  if_empty: unknown;

  run() {
    const { input_data: data, mode, pattern, sep, if_empty: ifEmpty } = this;
    if (mode === 'Stringify')
      return { parsed_text: message(typeof data === 'object' ? JSON.stringify(data, null, 2) : toText(data)) };
    const rows = toRows(data);
    if (rows.length === 0) return { parsed_text: message(String(ifEmpty)) };
    const filled = (row: Row) => fillVariables(toText(pattern), (name) => row[name] ?? '');
    return { parsed_text: message(joinTexts(rows, toText(sep), filled)) };
  }
}
