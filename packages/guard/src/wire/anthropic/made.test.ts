import { expect, it } from 'vitest';
import { errorPayload, made, messageEnd, messageStart, stop, textBlock } from './made.ts';

const read = ({ event, data }: { event?: string; data: string }) => [event, JSON.parse(data)] as const;

it('makes events that are named after their type', () => {
  expect(read(made({ type: 'ping' }))).toEqual(['ping', { type: 'ping' }]);
  expect(read(stop(3))).toEqual(['content_block_stop', { type: 'content_block_stop', index: 3 }]);
});

it('makes a text as a block of its own', () => {
  expect(textBlock(2, 'hi').map((piece) => read(piece)[1])).toEqual([
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 2 },
  ]);
});

it('makes the start and the end of a message that the guard writes', () => {
  expect(read(messageStart())[1]).toMatchObject({
    type: 'message_start',
    message: { role: 'assistant', content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } },
  });
  expect(messageEnd().map(read)).toMatchObject([
    ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 0 } }],
    ['message_stop', {}],
  ]);
  expect(errorPayload('a_type', 'why')).toEqual({ type: 'error', error: { type: 'a_type', message: 'why' } });
});
