import { expect, it } from 'vitest';
import type { Frame } from '../../framing/framing.ts';
import { pieceWithIndex, pieceWithStop, pieceWithUsage, startInBlocks } from './rewrite.ts';

const frame = (data: string, event?: string): Frame => ({ raw: Buffer.from(data), data, event, unclear: false });

it('changes one value and no other byte of the data', () => {
  const delta = frame(
    '{"type":"message_delta", "delta":{"stop_reason" : "tool_use"},"usage":{"a":1}}',
    'message_delta',
  );
  expect(pieceWithStop(delta, 'end_turn')).toEqual({
    event: 'message_delta',
    data: '{"type":"message_delta", "delta":{"stop_reason" : "end_turn"},"usage":{"a":1}}',
  });
  expect(pieceWithUsage(delta, { a: 2 })).toMatchObject({ data: expect.stringContaining('"usage":{"a":2}') });
  expect(pieceWithIndex(frame('{"index": 3,"x":1}'), 7)).toEqual({ data: '{"index": 7,"x":1}' });
});

it('leaves an event without the value as it is, and puts its data on one line', () => {
  const other = frame('{"x":1}');
  expect(pieceWithIndex(other, 7)).toBe(other);
  expect(pieceWithIndex(frame('\uFEFF{"index":1,\r\n"x":2}'), 7)).toEqual({ data: '{"index":7, "x":2}' });
});

it('splits a start with blocks into events, with notes for some', () => {
  const start = frame('{"message":{"content":[{"type":"text","text":"a"},{"type":"tool_use"}]}}', 'message_start');
  const pieces = startInBlocks(start, [undefined, 'blocked'], 4) as { event?: string; data: string }[];
  expect(pieces[0]).toEqual({ event: 'message_start', data: '{"message":{"content":[]}}' });
  expect(pieces.slice(1).map(({ event, data }) => [event, (JSON.parse(data) as { index: number }).index])).toEqual([
    ['content_block_start', 4],
    ['content_block_stop', 4],
    ['content_block_start', 5],
    ['content_block_delta', 5],
    ['content_block_stop', 5],
  ]);
  expect(pieces[1]?.data).toContain('"content_block":{"type":"text","text":"a"}');
  expect(pieces[4]?.data).toContain('blocked');
});
