import { expect, it } from 'vitest';
import type { ChatMessage } from '../api/chats.ts';
import { hasAnswer, questionOf, turnsOf } from './turns.ts';

const message = (runId: string, sender: string, text: string): ChatMessage => ({
  id: `${runId}.${text}`,
  runId,
  sender,
  senderName: sender,
  text,
  isCut: false,
  tokens: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});

it('groups messages by their run, the oldest first', () => {
  const turns = turnsOf([
    message('c', 'User', 'third'),
    message('b', 'Machine', 'two'),
    message('b', 'Critic', 'hm'),
    message('b', 'User', 'second'),
    message('a', 'Machine', 'one'),
  ]);
  expect(turns.map(({ runId, messages }) => [runId, messages.map(({ text }) => text)])).toEqual([
    ['a', ['one']],
    ['b', ['second', 'hm', 'two']],
    ['c', ['third']],
  ]);
  expect(turns.map(hasAnswer)).toEqual([true, true, false]);
  expect(turns.map(questionOf)).toEqual(['', 'second', 'third']);
});
