import { Component, fillVariables, isRow, joinTexts, message, type Row, tableOf, toText } from './component.ts';

/** The flow's answer to a person. */
export class ChatOutput extends Component {
  label = 'Chat output';
  description = 'Shows a message, a record or rows as the answer of the flow.';
  icon = 'message-square-reply';
  inputs = [
    { name: 'input_value', label: 'Value', kind: 'handle', accepts: ['Message', 'Data', 'Table'], required: true },
    {
      name: 'data_template',
      label: 'Template for records',
      kind: 'text',
      default: '{text}',
      variables: false,
      advanced: true,
      help: 'Names in braces stand for fields of a record.',
      accepts: ['Message'],
      portWhenConnected: true,
    },
    {
      name: 'sender_name',
      label: 'Sender name',
      kind: 'text',
      default: 'AI',
      variables: false,
      advanced: true,
      accepts: ['Message'],
      portWhenConnected: true,
    },
    {
      name: 'session_id',
      label: 'Session',
      kind: 'text',
      default: '',
      variables: false,
      advanced: true,
      accepts: ['Message'],
      portWhenConnected: true,
    },
  ];
  outputs = [{ name: 'message', label: 'Message', types: ['Message'] }];
  input_value: unknown;
  data_template: unknown;
  sender_name: unknown;
  session_id: unknown;

  run() {
    const [sender_name, session_id] = [toText(this.sender_name), toText(this.session_id)];
    const text = shown(this.input_value, toText(this.data_template));
    return { message: { ...message(text), sender: 'Machine', sender_name, session_id } };
  }
}

/** A message's text, a record by its template or as JSON, records without either as a table, another list line by line. */
function shown(value: unknown, template: string): string {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((each) => isRow(each) && byTemplate(each, template) === undefined))
      return tableText(value as readonly Row[]);
    return joinTexts(value, '\n', (each) => shown(each, template));
  }
  if (!isRow(value)) return toText(value);
  return byTemplate(value, template) ?? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** The text of a record; undefined where the template names none of its values. */
function byTemplate(row: Row, template: string): string | undefined {
  if (typeof row['text'] === 'string' && template === '{text}') return row['text'];
  const filled = fillVariables(template, (name) => row[name]);
  return filled === template ? undefined : filled;
}

const MAX_ROWS = 100;

/** A table in Markdown with the first rows. Cells of one width make it a table also where Markdown is not shown. */
function tableText(all: readonly Row[]): string {
  const { columns, rows, moreColumns } = tableOf(all.slice(0, MAX_ROWS));
  if (columns.length === 0) return all.length === 1 ? '1 row without values' : `${all.length} rows without values`;
  const lines = [columns, ...rows].map((line) => line.map(escaped));
  const widths = columns.map((_, at) => Math.min(30, Math.max(3, ...lines.map((line) => (line[at] as string).length))));
  const [head, ...body] = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  const more = [
    ...(all.length > MAX_ROWS ? [`${all.length - MAX_ROWS} more rows`] : []),
    ...(moreColumns > 0 ? [`${moreColumns} more columns`] : []),
  ];
  const text = joinTexts(
    [head as string, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body],
    '\n',
    (line) => line,
  );
  return more.length > 0 ? `${text}\n\nand ${more.join(' and ')}` : text;
}

/** What Markdown would take for the end of a cell, an emphasis, code, a link, a tag or an entity. */
const MARKUP = /\\(?=[!-/:-@[-`{-~])|[|`*~]|\](?=\()|<(?=[a-z/!?])|&(?=#?\w+;)|(?<![a-z0-9])_|_(?![a-z0-9])/gi;

const escaped = (cell: string): string => cell.replace(/\s+/g, ' ').trim().replace(MARKUP, '\\$&');
