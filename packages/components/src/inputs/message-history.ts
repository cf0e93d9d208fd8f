import { fillVariables } from '@croft/flow';
import { type CroftComponent, requireHistory } from '../services.ts';
import { isRow, joinTexts, message, toText } from '../values.ts';

const MAX_MESSAGES = 10_000;
const retrieving = { showWhen: { field: 'mode', is: ['Retrieve'] } };

/** Messages of a session, read or stored. */
export const messageHistory: CroftComponent = {
  descriptor: {
    type: 'Memory',
    label: 'Message history',
    description: 'Reads the messages of a session, or stores one.',
    category: 'input and output',
    icon: 'history',
    keywords: ['memory', 'chat', 'session'],
    aliases: ['MessageHistory', 'StoreMessage'],
    effects: ['database-write'],
    fields: [
      { name: 'mode', label: 'Mode', kind: 'select', options: ['Retrieve', 'Store'], default: 'Retrieve' },
      {
        name: 'message',
        label: 'Message',
        kind: 'multiline',
        accepts: ['Message'],
        required: true,
        variables: false,
        toolParameter: true,
        showWhen: { field: 'mode', is: ['Store'] },
      },
      {
        name: 'session_id',
        label: 'Session',
        kind: 'text',
        accepts: ['Message'],
        default: 'default',
        variables: false,
      },
      {
        name: 'sender_type',
        label: 'Messages of',
        kind: 'select',
        options: ['Machine and User', 'Machine', 'User'],
        default: 'Machine and User',
        advanced: true,
        ...retrieving,
      },
      {
        name: 'sender',
        label: 'Sender',
        kind: 'select',
        options: ['User', 'Machine'],
        default: 'User',
        showWhen: { field: 'mode', is: ['Store'] },
      },
      { name: 'sender_name', label: 'Sender name', kind: 'text', default: '', variables: false, advanced: true },
      {
        name: 'n_messages',
        label: 'Messages at most',
        kind: 'integer',
        default: 100,
        min: 0,
        max: MAX_MESSAGES,
        ...retrieving,
      },
      {
        name: 'order',
        label: 'Order',
        kind: 'select',
        options: ['Ascending', 'Descending'],
        default: 'Ascending',
        ...retrieving,
      },
      {
        name: 'template',
        label: 'Template',
        kind: 'multiline',
        default: '{sender_name}: {text}',
        variables: false,
        advanced: true,
        ...retrieving,
      },
      {
        name: 'after',
        label: 'Wait for',
        kind: 'handle',
        accepts: ['Message', 'Data', 'Table'],
        advanced: true,
        ...retrieving,
      },
    ],
    outputs: [
      { name: 'messages_text', label: 'Text', types: ['Message'], ...retrieving },
      { name: 'dataframe', label: 'Messages', types: ['Table'], ...retrieving },
      {
        name: 'stored_messages',
        label: 'Stored message',
        types: ['Message'],
        showWhen: { field: 'mode', is: ['Store'] },
      },
    ],
  },
  async run({ inputs, services, signal, stepKey }) {
    const history = requireHistory(services);
    const session = toText(inputs['session_id'] ?? '').trim() || 'default';
    const name = toText(inputs['sender_name'] ?? '');
    if (inputs['mode'] === 'Store') {
      const given = isRow(inputs['message']) ? inputs['message'] : {};
      const sender = toText(given['sender'] ?? inputs['sender'] ?? 'User');
      const stored = {
        text: toText(inputs['message']),
        sender,
        sender_name: toText(given['sender_name'] ?? '') || name || (sender === 'Machine' ? 'AI' : 'User'),
        session_id: session,
        timestamp: services.now().toISOString(),
      };
      await history.add(session, stored, signal, stepKey);
      return { stored_messages: stored };
    }
    const type = String(inputs['sender_type']);
    const most = Number(inputs['n_messages']);
    const all =
      most === 0 ? [] : [...(history.instructions ?? []), ...(await history.list(session, MAX_MESSAGES, signal))];
    const fitting = all.filter(
      (each) => (type === 'Machine and User' || each.sender === type) && (name === '' || each.sender_name === name),
    );
    const last = fitting.slice(-most);
    const ordered = inputs['order'] === 'Descending' ? [...last].reverse() : last;
    const template = String(inputs['template']);
    const text = joinTexts(ordered, '\n', (each) =>
      fillVariables(template, (field) => (each as unknown as Record<string, unknown>)[field] ?? ''),
    );
    return { messages_text: message(most === 0 ? '' : text), dataframe: ordered };
  },
};
