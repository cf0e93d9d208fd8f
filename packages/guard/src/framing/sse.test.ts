import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from './framing.ts';
import { openSse } from './sse.ts';
import { readAll } from './testing.ts';

const ODD =
  '\uFEFF: hello\n\ndata: {"a":"ü€😀"}\n\ndata: one\r\ndata:two\r\n\r\nevent: x\rdata: cr\r\rid: 7\nretry: 10\ndata\n\n\n\ndata: [DONE]\n\n: tail';

function framesOf(pieces: readonly Buffer[], interesting?: RegExp): (Frame | Buffer)[] {
  const framing = openSse();
  return readAll(framing, pieces, () => framing.next(interesting));
}

const raw = (item: Frame | Buffer): Buffer => (Buffer.isBuffer(item) ? item : item.raw);

function cuts(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, place) => bytes.subarray(at[place], end));
}

describe('frames of server-sent events', () => {
  it('gives every byte back, wherever the stream is cut', () => {
    const bytes = Buffer.from(ODD);
    for (let at = 0; at <= bytes.length; at++)
      expect(Buffer.concat(framesOf(cuts(bytes, [at])).map(raw)).equals(bytes)).toBe(true);
  });

  it('takes a line feed behind a carriage return of the chunk before for no frame of its own', () => {
    const pieces = ['data: a\r\n\r', '\ndata: b\n\n'].map((piece) => Buffer.from(piece));
    expect(framesOf(pieces).map((frame) => raw(frame).toString())).toEqual(['data: a\r\n\r\n', 'data: b\n\n']);
  });

  it('gives frames of CRLF lines whole, wherever the stream is cut', () => {
    const frames = ['data: a\r\n\r\n', ': note\r\n\r\n', 'event: x\r\ndata: b\r\n\r\n', 'data: c\r\n\r\n'];
    const bytes = Buffer.from(frames.join(''));
    for (let at = 0; at <= bytes.length; at++)
      expect(framesOf(cuts(bytes, [at])).map((frame) => raw(frame).toString())).toEqual(frames);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(framesOf(single).map((frame) => raw(frame).toString())).toEqual(frames);
  });

  it('gives a frame of CR lines at once', () => {
    const framing = openSse();
    framing.push(Buffer.from('data: a\r\r'));
    expect((framing.next(undefined) as Frame).data).toBe('a');
  });

  it('reads the same data from single bytes as from the whole', () => {
    const bytes = Buffer.from(ODD);
    const data = (pieces: Buffer[]) =>
      framesOf(pieces)
        .flatMap((frame) => (Buffer.isBuffer(frame) ? [] : [[frame.event, frame.data]]))
        .filter(([, text]) => text !== undefined);
    const whole = data([bytes]);
    expect(whole).toEqual([
      [undefined, '{"a":"ü€😀"}'],
      [undefined, 'one\ntwo'],
      ['x', 'cr'],
      [undefined, ''],
      [undefined, '[DONE]'],
    ]);
    expect(data(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
  });

  it('lets nothing pass unread that matches, whatever the line ends and the cuts', () => {
    const line = fc.oneof(
      fc.constantFrom('data: x', 'data: KEY', ': c', '', 'KEY', 'event: a', 'data: {"a":"KEY"}'),
      fc.string({ maxLength: 6 }),
    );
    const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\r\r');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { maxLength: 12 }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        (lines, places) => {
          const bytes = Buffer.from(lines.map(([text, eol]) => text + eol).join(''));
          const got = framesOf(
            cuts(
              bytes,
              places.map((place) => Math.min(place, bytes.length)),
            ),
            /KEY/,
          );
          expect(Buffer.concat(got.map(raw)).equals(bytes)).toBe(true);
          for (const item of got) if (Buffer.isBuffer(item)) expect(item.includes('KEY')).toBe(false);
          const one = framesOf([bytes], /KEY/)
            .filter((item) => !Buffer.isBuffer(item))
            .map((item) => (item as Frame).data);
          const many = got.filter((item) => !Buffer.isBuffer(item)).map((item) => (item as Frame).data);
          expect(many).toEqual(one);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('hands a chunk of whole frames on as the same buffer when nothing in it is interesting', () => {
    const chunk = Buffer.from('data: a\n\ndata: b\n\n');
    expect(framesOf([chunk], /KEY/)[0]).toBe(chunk);
  });

  it.each([
    ['a line that is no field', 'data: {"a":\rKEY\n\n'],
    ['a comment behind a bare CR', 'data: {"a"\r:1}\n\n'],
    ['two lines that are each an object', 'data: {"a":1}\ndata: {"b":2}\n\n'],
    ['a field in other case', 'Data: {"a":1}\n\n'],
  ])('says of %s that two readers may differ', (_, text) => {
    const [frame] = framesOf([Buffer.from(text)]);
    expect((frame as Frame).unclear).toBe(true);
  });
});
