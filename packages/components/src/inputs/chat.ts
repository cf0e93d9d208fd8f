import type { CroftComponent } from '../services.ts';
import { isRow, message, toText } from '../values.ts';
import { fillVariables } from '@croft/flow';

/** A message of the person who runs the flow. */
export const chatInput: CroftComponent = {
  descriptor: {
    type: 'ChatInput',
    label: 'Chat input',
    description: 'The message that a person sends to the flow.',
    category: 'input and output',
    icon: 'message-square',
    boundary: 'input',
    effects: ['none'],
    fields: [
      {
        name: 'input_value',
        label: 'Message',
        kind: 'multiline',
        default: '',
        variables: false,
        help: 'Used where a run brings no message of its own.',
      },
      {
        name: 'sender',
        label: 'Sender',
        kind: 'select',
        options: ['User', 'Machine'],
        default: 'User',
        advanced: true,
      },
      { name: 'sender_name', label: 'Sender name', kind: 'text', default: 'User', variables: false, advanced: true },
      { name: 'session_id', label: 'Session', kind: 'text', default: '', variables: false, advanced: true },
    ],
    outputs: [{ name: 'message', label: 'Message', types: ['Message'] }],
  },
  run: ({ inputs }) => ({
    message: {
      text: toText(inputs['input_value']),
      sender: inputs['sender'],
      sender_name: inputs['sender_name'],
      session_id: inputs['session_id'],
    },
  }),
};

/** The flow's answer to a person. */
export const chatOutput: CroftComponent = {
  descriptor: {
    type: 'ChatOutput',
    label: 'Chat output',
    description: 'Shows a message, a record or rows as the answer of the flow.',
    category: 'input and output',
    icon: 'message-square-reply',
    boundary: 'output',
    effects: ['none'],
    fields: [
      { name: 'input_value', label: 'Value', kind: 'handle', accepts: ['Message', 'Data', 'Table'], required: true },
      {
        name: 'data_template',
        label: 'Template for records',
        kind: 'text',
        default: '{text}',
        variables: false,
        advanced: true,
        help: 'Names in braces stand for fields of a record.',
      },
      { name: 'sender_name', label: 'Sender name', kind: 'text', default: 'AI', variables: false, advanced: true },
      { name: 'session_id', label: 'Session', kind: 'text', default: '', variables: false, advanced: true },
    ],
    outputs: [{ name: 'message', label: 'Message', types: ['Message'] }],
  },
  run({ inputs }) {
    const text = shown(inputs['input_value'], String(inputs['data_template']));
    return {
      message: {
        ...message(text),
        sender: 'Machine',
        sender_name: inputs['sender_name'],
        session_id: inputs['session_id'],
      },
    };
  },
};

/** A message's text, a record by its template or as JSON, a list line by line. */
function shown(value: unknown, template: string): string {
  if (Array.isArray(value)) return value.map((each) => shown(each, template)).join('\n');
  if (!isRow(value)) return toText(value);
  if (typeof value['text'] === 'string' && template === '{text}') return value['text'];
  const filled = fillVariables(template, (name) => value[name]);
  return filled === template ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : filled;
}
