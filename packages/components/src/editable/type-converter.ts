import { Component, isRow, message, toData, toRows, toText } from './component.ts';

/** A message, record or table as one of the others. */
export class TypeConverterComponent extends Component {
  label = 'Type converter';
  description = 'Turns a message, a record or rows into one of the others.';
  icon = 'repeat';
  inputs = [
    { name: 'input_data', label: 'Value', kind: 'handle', accepts: ['Message', 'Data', 'Table'], required: true },
    { name: 'auto_parse', label: 'Read JSON and CSV in texts', kind: 'switch', default: true, advanced: true },
  ];
  outputs = [
    { name: 'message_output', label: 'Message', types: ['Message'] },
    { name: 'data_output', label: 'Data', types: ['Data'] },
    { name: 'dataframe_output', label: 'Table', types: ['Table'] },
  ];
  input_data: unknown;
  auto_parse: unknown;

  run() {
    const given = this.input_data;
    const value = this.auto_parse === true ? parsed(given) : given;
    return { message_output: message(toText(given)), data_output: toData(value), dataframe_output: toRows(value) };
  }
}

/** The value in a text that is JSON; every other value as it is. */
function parsed(value: unknown): unknown {
  const text =
    typeof value === 'string' ? value : isRow(value) && typeof value['text'] === 'string' ? value['text'] : undefined;
  if (text === undefined || !/^\s*[[{]/.test(text)) return value;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return value;
  }
}
