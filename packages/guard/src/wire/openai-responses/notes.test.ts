import { expect, it } from 'vitest';
import { made, mayNameNote, noteEvents, noteIn, noteItem } from './notes.ts';

it('is a message whose id has its text', () => {
  const item = noteItem('Refused: é', '3');
  expect(item).toEqual({
    id: `msg_croft_3_${Buffer.from('Refused: é').toString('base64url')}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Refused: é' }],
  });
  expect(noteIn(item.id)).toBe('Refused: é');
  expect(noteIn(noteItem('x', 'end').id)).toBe('x');
  expect(noteIn(noteItem('a'.repeat(2_000), '0').id)).toBe('a'.repeat(1_500));
});

it('is not named by another id', () => {
  for (const id of ['msg_1', 'msg_croft_x_YQ', 'msg_croft_0_Y Q', ' msg_croft_0_YQ', 7, undefined])
    expect(noteIn(id)).toBeUndefined();
  expect([mayNameNote('… "msg_croft_0_YQ" …'), mayNameNote('msg_crof')]).toEqual([true, false]);
});

it('is sent in the events of a message, numbered', () => {
  const item = noteItem('no', '0');
  let number = 4;
  const frames = noteEvents(item, 2, true, () => ({ sequence_number: number++ }));
  const part = { type: 'output_text', annotations: [], logprobs: [], text: 'no' };
  const at = { item_id: item.id, output_index: 2, content_index: 0 };
  expect(frames.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { ...item, status: 'in_progress', content: [] },
      sequence_number: 4,
    },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' }, sequence_number: 5 },
    { type: 'response.output_text.delta', ...at, delta: 'no', logprobs: [], sequence_number: 6 },
    { type: 'response.output_text.done', ...at, text: 'no', logprobs: [], sequence_number: 7 },
    { type: 'response.content_part.done', ...at, part, sequence_number: 8 },
    { type: 'response.output_item.done', output_index: 2, item, sequence_number: 9 },
  ]);
  expect(frames[0]?.event).toBe('response.output_item.added');
});

it('has the name of an event only where upstream writes names', () => {
  expect(made({ type: 'a', x: 1 }, true)).toEqual({ event: 'a', data: '{"type":"a","x":1}' });
  expect(made({ type: 'a' }, false)).toEqual({ data: '{"type":"a"}' });
});
