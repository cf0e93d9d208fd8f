import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';
import type { OversizedMessage } from './oversized-message.ts';

const LIMIT = 64;

function read(
  chunks: readonly Buffer[],
  limit = LIMIT,
): { lines: string[]; dropped: Omit<OversizedMessage, 'call'>[] } {
  const lines: string[] = [];
  const dropped: Omit<OversizedMessage, 'call'>[] = [];
  const reader = new LineReader(
    limit,
    (line) => lines.push(line),
    ({ id, wantsAnswer }) => dropped.push({ id, wantsAnswer }),
  );
  for (const chunk of chunks) reader.read(chunk);
  reader.end();
  return { lines, dropped };
}

/** The id found in one message above the limit. */
function idOf(message: string): Omit<OversizedMessage, 'call'> | undefined {
  const { lines, dropped } = read([Buffer.from(`${message}\n`)], 8);
  expect(lines).toEqual([]);
  return dropped[0];
}

const filler = 'x'.repeat(200);

describe('the line reader', () => {
  it('emits the same lines for any split of the bytes', () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 2 }).map((json) => json.replaceAll('\n', ' ')),
      fc
        .record({
          id: fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' })),
          method: fc.constant('m'),
          params: fc.string({ maxLength: 120 }),
        })
        .map((message) => JSON.stringify(message)),
      fc.constant(''),
    );
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat({ max: 90 }), { maxLength: 30 }),
        fc.boolean(),
        (lines, cuts, closed) => {
          const bytes = Buffer.from(lines.join('\n') + (closed ? '\n' : ''));
          const chunks: Buffer[] = [];
          let rest = bytes;
          for (const cut of cuts) {
            chunks.push(rest.subarray(0, cut));
            rest = rest.subarray(cut);
          }
          chunks.push(rest);
          const whole = read([bytes]);
          expect(read(chunks)).toEqual(whole);
          const ended = closed || lines.at(-1) !== '' ? lines : lines.slice(0, -1);
          expect(whole.lines).toEqual(ended.filter((text) => Buffer.byteLength(text) <= LIMIT));
          expect(whole.dropped).toHaveLength(ended.length - whole.lines.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds the id before and after the params, as number and string', () => {
    expect(idOf(`{"jsonrpc":"2.0","id":7,"method":"m","params":"${filler}"}`)).toEqual({ id: 7, wantsAnswer: true });
    expect(idOf(`{"params":{"a":["${filler}"]},"method":"m","jsonrpc":"2.0" , "id" : "abc" }`)).toEqual({
      id: 'abc',
      wantsAnswer: true,
    });
    expect(idOf(`{"params":"${filler}","method":"m","id":-12}`)).toEqual({ id: -12, wantsAnswer: true });
  });

  it('keeps ids that are not plain ASCII as they are', () => {
    const id = 'Zeile „7“ \u{1f642} \\ " \n';
    expect(idOf(JSON.stringify({ method: 'm', params: filler, id }))).toEqual({ id, wantsAnswer: true });
    expect(idOf(`{"\\u0069d":"\\u0041","method":"m","params":"${filler}"}`)).toEqual({ id: 'A', wantsAnswer: true });
  });

  it('ignores ids in params, in texts and in values named id', () => {
    const hostile = { a: { id: 1 }, b: [{ id: 2 }], c: '"id":3,', d: '\\","id":4', method: 'id', id: 5 };
    expect(
      idOf(JSON.stringify({ method: 'm', params: hostile, note: '"id":6', id: 'right', after: { id: 8, filler } })),
    ).toEqual({ id: 'right', wantsAnswer: true });
    expect(idOf(JSON.stringify([{ id: 1, method: 'm', params: filler }]))).toEqual({ id: null, wantsAnswer: true });
  });

  it('finds the id of any request, at any position', () => {
    const id = fc.oneof(fc.integer(), fc.string({ unit: 'binary', maxLength: 40 }));
    const rest = fc.dictionary(
      fc.string().filter((key) => key !== 'id' && key !== 'result' && key !== 'error'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(id, rest, rest, (wanted, before, after) => {
        // Integer keys move to the front of an object; the id must still be found.
        const message = { ...before, id: wanted, ...after, method: 'm', params: filler };
        expect(idOf(JSON.stringify(message))).toEqual({ id: wanted, wantsAnswer: true });
      }),
      { numRuns: 300 },
    );
  });

  it('expects no response to a notification or a response', () => {
    expect(idOf(JSON.stringify({ method: 'm', params: filler }))).toEqual({ id: null, wantsAnswer: false });
    expect(idOf(JSON.stringify({ id: 3, result: { content: filler } }))).toEqual({ id: 3, wantsAnswer: false });
    expect(idOf(filler)).toEqual({ id: null, wantsAnswer: true });
  });
});
