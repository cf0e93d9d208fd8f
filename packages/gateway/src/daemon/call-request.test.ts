import { describe, expect, it } from 'vitest';
import { encodeAnswer, encodeFailure, readCallRequest } from './call-request.ts';

type Given = Parameters<typeof readCallRequest>[0];
const read = (more: Partial<Given>, isCroft = false) =>
  readCallRequest(
    { requestId: 'gw_1', toolCall: { name: 'read_file', arguments: { path: 'a' } }, ...more } as Given,
    isCroft,
  );

describe('a call of a server', () => {
  it('is a tool call, or an operation of the first dialect', () => {
    expect(read({})).toEqual({
      requestId: 'gw_1',
      style: 'later',
      call: { name: 'read_file', input: { path: 'a' } },
      deadlineMs: undefined,
    });
    expect(read({}, true)?.style).toBe('croft');
    expect(read({ toolCall: undefined, operation: 'read-file', args: { filePath: 'a' } })).toMatchObject({
      style: 'seed',
      call: { name: 'read-file', input: { filePath: 'a' } },
    });
    expect(read({ toolCall: undefined })).toBeUndefined();
  });

  it.each(['', '.', '..', 'a/b', '../x', 'a b', 'a?b', 'a%2fb', 'a\n'])(
    'has no id that changes a path: %j',
    (requestId) => {
      expect(read({ requestId })).toBeUndefined();
    },
  );

  it('has a deadline that a timer can take', () => {
    expect(read({ requestId: '...', deadlineMs: 5 })?.deadlineMs).toBe(5);
    expect(read({ deadlineMs: -1 })?.deadlineMs).toBe(0);
    expect(read({ deadlineMs: 1e12 })?.deadlineMs).toBe(86_400_000);
    expect(read({ deadlineMs: Number.NaN })?.deadlineMs).toBeUndefined();
  });
});

describe('a result', () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
  const audio = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' } as const;
  const encode = (...given: Parameters<typeof encodeAnswer>) => JSON.parse(encodeAnswer(...given)) as unknown;

  it('has the form of each dialect', () => {
    const result = { ok: true, data: { a: 1 }, text: 'said', media: [image, audio] };
    expect(encode(result, 'seed')).toEqual({ data: { a: 1 } });
    expect(encode(result, 'croft')).toEqual({ data: { a: 1 }, text: 'said', media: [image, audio] });
    expect(encode(result, 'later')).toEqual({
      result: {
        content: [
          { type: 'text', text: 'said' },
          image,
          { type: 'resource', resource: { uri: 'croft:audio', mimeType: 'audio/wav', blob: 'aGk=' } },
        ],
        structuredContent: { a: 1 },
      },
    });
    expect(encode({ ok: true, data: { a: 1 } }, 'later')).toMatchObject({
      result: { content: [{ type: 'text', text: '{"a":1}' }] },
    });
  });

  it('of the later dialect has the address of a resource', () => {
    const media = [{ type: 'resource', data: 'aGk=', mimeType: 'application/pdf', uri: 'file:a.pdf' }] as const;
    expect(encode({ ok: true, data: {}, media }, 'later')).toMatchObject({
      result: {
        content: [
          { type: 'text', text: '{}' },
          { type: 'resource', resource: { uri: 'file:a.pdf', mimeType: 'application/pdf', blob: 'aGk=' } },
        ],
      },
    });
  });

  it('that failed says why, cut at the limit', () => {
    const failed = { ok: false, data: { error: 'e'.repeat(8_193), code: 'x' } };
    expect(encode(failed, 'seed')).toEqual({ error: 'e'.repeat(8_192) });
    expect(encode(failed, 'croft')).toEqual({ data: failed.data, error: 'e'.repeat(8_192) });
    expect(encode(failed, 'later')).toMatchObject({ result: { isError: true, structuredContent: failed.data } });
    expect(encode({ ok: false, data: {} }, 'seed')).toEqual({ error: 'The call failed' });
    expect(JSON.parse(encodeFailure('not now', 'seed'))).toEqual({ error: 'not now' });
  });
});
