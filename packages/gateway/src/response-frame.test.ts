import { expect, it } from 'vitest';
import { responseSchema, toolResultSchema } from './response-frame.ts';

it('needs data, a result or an error', () => {
  for (const body of [{ data: null }, { data: 0 }, { result: {} }, { error: '' }])
    expect(responseSchema.safeParse(body).success, JSON.stringify(body)).toBe(true);
  expect(responseSchema.safeParse({ text: 'only' }).error?.issues[0]?.message).toBe(
    'needs one of `data`, `result` and `error`',
  );
});

it('has one cut sentence for an error in either form', () => {
  expect(responseSchema.parse({ error: { message: 'failed', code: 1 } }).error).toBe('failed');
  expect(responseSchema.parse({ error: 'e'.repeat(9_000) }).error).toHaveLength(8_192);
  expect(responseSchema.safeParse({ error: {} }).success).toBe(false);
});

it('keeps blocks of unknown types, and bounds their number', () => {
  const block = { type: 'new', field: 1 };
  expect(toolResultSchema.parse({ content: [block, { type: 'text', text: 'a' }] }).content).toEqual([
    block,
    { type: 'text', text: 'a' },
  ]);
  expect(toolResultSchema.parse({}).content).toEqual([]);
  expect(toolResultSchema.safeParse({ content: Array(201).fill(block) }).success).toBe(false);
});

it('takes media only with their type and content', () => {
  const media = (one: object) => responseSchema.safeParse({ data: 1, media: [one] }).success;
  expect(media({ type: 'image', data: 'AA==', mimeType: 'image/png' })).toBe(true);
  expect(media({ type: 'resource', uri: 'a', data: 'AA==', mimeType: 'x/y' })).toBe(true);
  expect(media({ type: 'video', data: 'AA==', mimeType: 'x/y' })).toBe(false);
  expect(media({ type: 'image', data: 'AA==', mimeType: 'x'.repeat(257) })).toBe(false);
});
