import { describe, expect, it } from 'vitest';
import { SseFrame } from './sse-frame.ts';

const frame = (text: string, first = false) => new SseFrame(Buffer.from(text), first);

describe('a frame of server-sent events', () => {
  it('has its data and its event, whatever ends its lines', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { data, event, unclear } = frame(['event: delta', 'data: one', 'data:  two', 'id: 7', '', ''].join(end));
      expect([data, event, unclear], JSON.stringify(end)).toEqual(['one\n two', 'delta', false]);
    }
  });

  it('may have neither, or empty ones', () => {
    expect(frame(': comment\n\n')).toMatchObject({ data: undefined, event: undefined, unclear: false });
    expect(frame('data\nevent:\n\n')).toMatchObject({ data: '', event: '' });
    expect(frame('event: a\nevent: b\n\n').event).toBe('b');
  });

  it('has no byte-order mark in its first line, and any other mark is a strange field', () => {
    expect(frame('\ufeffdata: x\n\n', true)).toMatchObject({ data: 'x', unclear: false });
    expect(frame('\ufeffdata: x\n\n')).toMatchObject({ data: undefined, unclear: true });
  });

  it.each([
    ['an unknown field', 'dat: x\ndata: y\n\n'],
    ['a field with a blank before it', ' data: x\n\n'],
    ['a comment that a bare CR may hide', 'data: {\r: x\rdata: }\n\n'],
    ['a comment that may be the rest of a JSON text', '\n: {"tool_calls":[]}\n\n'],
    ['several objects, each an event to some clients', 'data: {"a":1}\ndata: {"b":2}\n\n'],
    ['a line that begins behind U+2028 for some clients', ': x\u2028data: {"a":1}\n\n'],
    ['a line that begins behind U+0085 for some clients', 'id: x\u0085data: {"a":1}\n\n'],
    ['a line that begins behind a vertical tab for some clients', ': x\vdata: {"a":1}\n\n'],
    ['an object beside a text', 'data: x\ndata: {"b":2}\n\n'],
  ])('is unclear with %s', (_, text) => {
    expect(frame(text).unclear).toBe(true);
  });

  it.each([
    ['one object on several lines', 'data: {"a":\ndata: 1}\n\n'],
    ['a comment among lines that end in CRLF', 'data: {\r\n: x\r\ndata: }\r\n\r\n'],
    ['U+2028 in a text', 'data: {"a":"\u2028 data"}\n\n'],
    ['a bare CR without a comment', 'data: {\rdata: }\n\n'],
  ])('is clear with %s', (_, text) => {
    expect(frame(text).unclear).toBe(false);
  });
});
