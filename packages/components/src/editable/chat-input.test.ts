import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { ChatInput } from './chat-input.ts';

it('gives the message with its sender and session', () => {
  const given = { sender: 'User', sender_name: 'Ann', session_id: 's1' };
  const run = (input_value: unknown) => Object.assign(new ChatInput(), { ...given, input_value }).run();
  expect(run('hello')).toEqual({ message: { text: 'hello', ...given } });
  expect(run({ text: 'of a message' }).message.text).toBe('of a message');
});

it('has ports that stored flows name', () => {
  expect(portsOf(new ChatInput())).toEqual([
    'input_value: multiline default="" variables=false',
    'sender: select advanced default="User" of User|Machine',
    'sender_name: text advanced default="User" variables=false',
    'session_id: text advanced default="" variables=false',
    'message: gives Message',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new ChatInput())).toEqual([
    'Chat input (message-square): The message that a person sends to the flow.',
    '',
    'input_value: Message | Used where a run brings no message of its own.',
    'sender: Sender',
    'sender_name: Sender name',
    'session_id: Session',
    'message: Message',
  ]);
});
