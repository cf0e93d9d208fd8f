import {
  Component,
  ComponentError,
  fillVariables,
  joinTexts,
  message,
  namesIn,
  type Row,
  toRows,
  toText,
} from './component.ts';

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
    const isGiven = new Map<string, boolean>();
    const filled = (row: Row) =>
      fillVariables(toText(pattern), (name) => {
        const value = row[name];
        if (value !== undefined) isGiven.set(name, true);
        else if (!isGiven.has(name)) isGiven.set(name, false);
        return value ?? '';
      });
    const text = joinTexts(rows, toText(sep), filled);
    // Without this check a pattern for other records gives texts without their values.
    const absent = [...isGiven].find(([, given]) => !given)?.[0];
    if (absent !== undefined) throw noValue(absent, rows);
    return { parsed_text: message(text) };
  }
}

function noValue(name: string, rows: readonly Row[]) {
  return new ComponentError(
    `No record has a value '${name}', which the pattern names.`,
    `Use these names in the pattern: ${namesIn(rows)}. Or set Mode to Stringify.`,
  );
}
