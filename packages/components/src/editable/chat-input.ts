import { Component, toText } from './component.ts';

/** A message of the person who runs the flow. */
export class ChatInput extends Component {
  label = 'Chat input';
  description = 'The message that a person sends to the flow.';
  icon = 'message-square';
  inputs = [
    {
      name: 'input_value',
      label: 'Message',
      kind: 'multiline',
      default: '',
      variables: false,
      help: 'Used where a run brings no message of its own.',
      accepts: [],
    },
    { name: 'sender', label: 'Sender', kind: 'select', options: ['User', 'Machine'], default: 'User', advanced: true },
    {
      name: 'sender_name',
      label: 'Sender name',
      kind: 'text',
      default: 'User',
      variables: false,
      advanced: true,
      accepts: [],
    },
    { name: 'session_id', label: 'Session', kind: 'text', default: '', variables: false, advanced: true, accepts: [] },
  ];
  outputs = [{ name: 'message', label: 'Message', types: ['Message'] }];
  input_value: unknown;
  sender: unknown;
  sender_name: unknown;
  session_id: unknown;

  run() {
    const { sender, sender_name, session_id } = this;
    return { message: { text: toText(this.input_value), sender, sender_name, session_id } };
  }
}
