import { Component, fillVariables, isRow, joinTexts, message, toText } from './component.ts';

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

/** A message's text, a record by its template or as JSON, a list line by line. */
function shown(value: unknown, template: string): string {
  if (Array.isArray(value)) return joinTexts(value, '\n', (each) => shown(each, template));
  if (!isRow(value)) return toText(value);
  if (typeof value['text'] === 'string' && template === '{text}') return value['text'];
  const filled = fillVariables(template, (name) => value[name]);
  return filled === template ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : filled;
}
