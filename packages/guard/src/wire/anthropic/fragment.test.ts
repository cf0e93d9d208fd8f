import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, sse } from './testing.ts';
import { openSse } from '../../framing/sse.ts';
import { readEvent } from './event.ts';
import { fragmentIn } from './fragment.ts';

const BYTES = sse([json(3, '{"a": "ü\\n😀"')]).toString();

describe('a fragment known by its bytes', () => {
  it('is what parsing it says, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(99), fc.boolean(), (text, index, crlf) => {
        const bytes = sse([json(index, text)], crlf ? '\r\n' : '\n');
        expect(fragmentIn(bytes)).toEqual(readEvent(openSse().split(bytes)[0]?.data ?? '')?.event);
      }),
      { numRuns: 1000 },
    );
  });

  it('is what parsing it says, or is left to be parsed, with any one byte changed, doubled or gone', () => {
    const odd = ['"', '\\', '\n', '\r', ' ', '}', ',', ':', '\x80', '0', 'x', ''];
    let known = 0;
    for (let at = 0; at < BYTES.length; at++)
      for (const other of [...odd, (BYTES[at] ?? '').repeat(2)]) {
        const bytes = Buffer.from(BYTES.slice(0, at) + other + BYTES.slice(at + 1));
        const [frame, ...more] = openSse().split(bytes);
        const found = fragmentIn(bytes);
        if (!found) continue;
        known++;
        expect(more).toEqual([]);
        expect(frame?.unclear).toBe(false);
        expect(frame?.event).toBe('content_block_delta');
        expect(found).toEqual(readEvent(frame?.data ?? '')?.event);
      }
    expect(known).toBeGreaterThan(50);
  });

  it('is known as the API pads it', () => {
    expect(fragmentIn(Buffer.from(BYTES.replace('}}', '}              }')))).toMatchObject({ index: 3 });
    expect(fragmentIn(Buffer.from(BYTES.replaceAll('":', '": ')))).toMatchObject({ index: 3 });
  });

  it.each([
    ['a second key', BYTES.replace('"}}', '","partial_json":"x"}}')],
    ['another member', BYTES.replace('"}}', '"},"index":0}')],
    ['another type', BYTES.replace('input_json_delta', 'text_delta')],
    ['a number no JSON has', BYTES.replace('"index":3', '"index":03')],
    ['an escaped key', BYTES.replace('"index"', '"\\u0069ndex"')],
    ['no name', BYTES.slice(BYTES.indexOf('data'))],
    ['two events', BYTES + BYTES],
    ['no end', BYTES.trimEnd()],
  ])('is left to be parsed when there is %s', (_, text) => {
    expect(fragmentIn(Buffer.from(text))).toBeUndefined();
  });
});
