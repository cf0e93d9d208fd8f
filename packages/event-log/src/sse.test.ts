import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, parseLastEventId } from './sse.ts';

function decode(text: string): { events: EventSourceMessage[]; retries: number[] } {
  const events: EventSourceMessage[] = [];
  const retries: number[] = [];
  createParser({ onEvent: (event) => events.push(event), onRetry: (ms) => retries.push(ms) }).feed(text);
  return { events, retries };
}

describe('frames of an event stream', () => {
  it('have id, name, data, retry and comments', () => {
    expect(encodeFrame({ comment: 'ping' })).toBe(': ping\n\n');
    expect(encodeFrame({ retry: 1_000, id: 'a.0', comment: 'connected' })).toBe(
      ': connected\nretry: 1000\nid: a.0\n\n',
    );
    expect(encodeFrame({ id: 'a.1', event: 'note', data: 'x\ny' })).toBe('id: a.1\nevent: note\ndata: x\ndata: y\n\n');
  });

  it('have the fields that are given, also empty ones', () => {
    expect([
      encodeFrame({}),
      encodeFrame({ data: '' }),
      encodeFrame({ comment: 'a\r\nb\rc\n' }),
      encodeFrame({ retry: -5 }),
      encodeFrame({ retry: 1.5 }),
      encodeFrame({ comment: 'c', retry: 0, id: '', event: '', data: 'd' }),
    ]).toEqual([
      '\n',
      'data: \n\n',
      ': a\n: b\n: c\n: \n\n',
      'retry: 0\n\n',
      'retry: 2\n\n',
      ': c\nretry: 0\nid: \nevent: \ndata: d\n\n',
    ]);
  });

  it('parse back to the same values for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, comment) => {
        const { events } = decode(encodeFrame({ comment }) + encodeFrame({ id: 'l.1', data: text }));
        expect(events).toEqual([{ id: 'l.1', event: undefined, data: text.replace(/\r\n|\r/g, '\n') }]);
      }),
    );
  });

  it('cannot be forged by an id or a name', () => {
    expect(() => encodeFrame({ id: 'a\ndata: b' })).toThrow(
      new RangeError('an id or name of an event is one line without NUL'),
    );
    expect(() => encodeFrame({ event: 'a\rdata: b' })).toThrow(RangeError);
    expect(() => encodeFrame({ id: 'a\u0000' })).toThrow(RangeError);
  });
});

it('reads the id of a client that comes back, and nothing that cannot be one', () => {
  expect(parseLastEventId('abc.12')).toBe('abc.12');
  expect(parseLastEventId(['abc.12', 'other'])).toBe('abc.12');
  expect([parseLastEventId([]), parseLastEventId('x'.repeat(256)), parseLastEventId('!~')]).toEqual([
    undefined,
    'x'.repeat(256),
    '!~',
  ]);
  for (const header of [undefined, '', 'a b', 'a\nb', 'é', 'x'.repeat(257)])
    expect(parseLastEventId(header)).toBeUndefined();
});
