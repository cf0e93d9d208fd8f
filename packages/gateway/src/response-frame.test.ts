import { describe, expect, it } from 'vitest';
import { contentBlockSchema, responseSchema, toolResultSchema } from './response-frame.ts';

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

describe('a block of content', () => {
  it.each([
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'x'.repeat(256) },
    { type: 'resource', resource: { uri: 'file:///a' } },
    { type: 'resource', resource: { uri: 'u'.repeat(4_096), mimeType: 'x'.repeat(256), blob: 'AA==', text: 'a' } },
  ])('of a known type loses unknown fields: $type', (block) => {
    expect(contentBlockSchema.parse({ ...block, more: 1 })).toEqual(block);
  });

  it.each([
    { type: 'text', text: 1 },
    { type: 'image', data: 'AA==', mimeType: 'x'.repeat(257) },
    { type: 'audio', data: 'AA==' },
    { type: 'resource', resource: { uri: 'u'.repeat(4_097) } },
    { type: 'resource', resource: { uri: 'u', mimeType: 'x'.repeat(257) } },
    { type: 'resource', resource: { uri: 'u', blob: 1 } },
    { type: 'resource', resource: { uri: 'u', text: 1 } },
  ])('that does not fit its type is kept as one of an unknown type: %j', (block) => {
    expect(contentBlockSchema.parse({ ...block, more: 1 })).toEqual({ ...block, more: 1 });
  });

  it('needs a type', () => {
    expect(contentBlockSchema.safeParse({ text: 'a' }).success).toBe(false);
  });
});

it('keeps the fields of a response, and drops unknown ones', () => {
  const body = {
    data: { a: 1 },
    result: { content: [], structuredContent: { b: [2] }, isError: true },
    text: 'a',
    media: [
      { type: 'audio', data: 'AA==', mimeType: 'x'.repeat(256) },
      { type: 'resource', uri: 'a', data: 'AA==', mimeType: 'x'.repeat(256) },
    ],
  };
  expect(responseSchema.parse({ ...body, more: 1 })).toEqual(body);
  expect(responseSchema.parse({ data: 1 })).toEqual({ data: 1 });
  expect(responseSchema.safeParse({ data: 1, media: Array(200).fill(body.media[0]) }).success).toBe(true);
  expect(responseSchema.safeParse({ data: 1, media: Array(201).fill(body.media[0]) }).success).toBe(false);
  const resource = { ...body.media[1], mimeType: 'x'.repeat(257) };
  expect(responseSchema.safeParse({ data: 1, media: [resource] }).success).toBe(false);
});

it('bounds the number of blocks at 200', () => {
  const content = Array(200).fill({ type: 'text', text: '' });
  expect(toolResultSchema.parse({ content }).content).toEqual(content);
});
