import fc from 'fast-check';
import { expect, it } from 'vitest';
import { omittedBytesOf, OversizedReader } from './oversized-message.ts';

function read(text: string, cut = text.length) {
  const bytes = Buffer.from(text);
  const reader = new OversizedReader();
  for (let at = 0; at < bytes.length; at += cut) reader.read(bytes.subarray(at, at + cut));
  return reader.result();
}

const writing = (content: string, before = '') =>
  `{"jsonrpc":"2.0",${before}"method":"tools/call","params":{"name":"write_file","arguments":{"content":"${content}","path":"ü \\u0041"},"_meta":{"kept":{"a":[1]}}},"id":"späť"}`;

const LONG = 40_000;

it('keeps a call that is too large without its long arguments, and says their size', () => {
  const { id, wantsAnswer, call } = read(writing('x'.repeat(LONG)), 1_000);
  expect({ id, wantsAnswer }).toEqual({ id: 'späť', wantsAnswer: true });
  const { params } = call as { params: Record<string, unknown> };
  expect(params).toMatchObject({ name: 'write_file', arguments: { path: 'ü A' }, _meta: { kept: { a: [1] } } });
  expect(Object.keys(params.arguments as object)).toEqual(['path']);
  expect(omittedBytesOf(params._meta)).toEqual({ content: LONG });
});

it('counts the bytes a string decodes to, however it is escaped and cut', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '"', '\\', '\u0001', 'é', '€', '🙂', '\ud800', '\udc00'),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 5_000 }),
      (parts, isAscii, cut) => {
        const text = parts.join('') + 'x'.repeat(LONG);
        const json = JSON.stringify(text).slice(1, -1);
        const escaped = isAscii
          ? json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        const { call } = read(writing(escaped), cut);
        const meta = (call as { params: { _meta: unknown } }).params._meta;
        expect(omittedBytesOf(meta)).toEqual({ content: Buffer.byteLength(text) });
      },
    ),
    { numRuns: 60 },
  );
});

it('finds the id behind more values than it keeps, which make no call', () => {
  const many = `"params":{"name":"write_file","arguments":{"content":[${'1,'.repeat(300_000)}1]}}`;
  expect(read(`{"jsonrpc":"2.0","method":"tools/call",${many},"id":9}`)).toEqual({
    id: 9,
    wantsAnswer: true,
    call: undefined,
  });
});

it('keeps a bounded part of a message made of keys alone, and answers it without an id', () => {
  const keys = Array.from({ length: 60_000 }, (_, i) => `"key${i}":${i}`).join(',');
  expect(read(`{${keys},"id":3}`)).toEqual({ id: null, wantsAnswer: true, call: undefined });
});

it('makes no call of a message of another kind', () => {
  const long = 'x'.repeat(LONG);
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '1.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '2.0', id: long, method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: long, arguments: {} } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: [long] } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'a', arguments: { content: long } } },
  ])
    expect(read(JSON.stringify(message)).call, JSON.stringify(message).slice(0, 80)).toBeUndefined();
});

it('does not take a client’s text for an omitted one', () => {
  const forged = '00000000-0000-4000-8000-000000000000:7';
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'a', arguments: { note: forged, content: 'x'.repeat(LONG) } },
  });
  expect((read(text).call as { params: { arguments: unknown } }).params.arguments).toEqual({ note: forged });
});
