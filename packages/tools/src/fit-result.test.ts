import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cutText, echoed, ENVELOPE_BYTES, fitItems, fitLines, jsonBytes } from './fit-result.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
afterEach(() => vi.restoreAllMocks());

/** Characters of one to six bytes in JSON. */
const texts = fc.string({
  unit: fc.constantFrom('a', '"', '\u0001', 'é', '→', '😀', '\u{10000}', '\u{10ffff}', '\ue000'),
  maxLength: 60,
});

it('quotes a text of a caller completely up to 8,192 characters', () => {
  expect(echoed('x'.repeat(8_192))).toHaveLength(8_192);
  expect(echoed('x'.repeat(8_193))).toBe(`${'x'.repeat(1_000)}… (8193 characters)`);
});

describe('a text that is cut', () => {
  it('is the longest beginning that fits, and splits no character', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 200 }), (text, maxBytes) => {
        const cut = cutText(text, maxBytes);
        expect(text.startsWith(cut)).toBe(true);
        expect(/\p{Surrogate}/u.test(cut)).toBe(false);
        expect(jsonBytes(cut)).toBeLessThanOrEqual(maxBytes);
        const [next] = text.slice(cut.length);
        if (next !== undefined) expect(jsonBytes(cut + next)).toBeGreaterThan(maxBytes);
      }),
      { numRuns: 300 },
    );
  });

  it('is the longest beginning of a long text too, wherever its characters begin', () => {
    for (const start of ['', 'a', '"', 'é'])
      for (const missing of [0, 1, 3, 4, 5]) {
        const text = start + '😀'.repeat(5_000);
        const cut = cutText(text, jsonBytes(text) - missing);
        expect(cut === text.slice(0, text.length - 2 * Math.ceil(missing / 4)), `${start} ${missing}`).toBe(true);
      }
    expect(cutText('\ud83d'.repeat(9_000), 6 * 8_000 + 2) === '\ud83d'.repeat(8_000)).toBe(true);
  });

  it('is measured about as far as it fits', () => {
    const measured = vi.spyOn(JSON, 'stringify');
    const long = 'x'.repeat(5_000_000);
    expect(cutText(long, 100_000)).toHaveLength(99_998);
    expect(fitLines([long, long], 1, 100_000)).toMatchObject({ shown: 1, cutAt: 100_000 - ENVELOPE_BYTES - 11 - 2 });
    expect(fitLines(['a', long], 1, 100_000)).toEqual({ content: '     1→a', shown: 1 });
    const chars = measured.mock.calls.reduce((sum, [text]) => sum + (text as string).length, 0);
    expect(chars).toBeGreaterThan(190_000);
    expect(chars).toBeLessThan(300_000);
  });
});

it('cuts before a pair of surrogates, and not before other characters near them', () => {
  for (const pair of ['\u{10000}', '\u{10ffff}', '😀']) expect(cutText(`ab${pair}`, 7), pair).toBe('ab');
  expect(cutText('😀a😀', 6)).toBe('😀');
  for (const one of ['\ud7ff', '\ue000']) expect(cutText(`ab${one}c`, 7), one).toBe(`ab${one}`);
});

describe('lines of a result', () => {
  it('are as many as fit, and at least a part of the first', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 300 }),
        (lines, room) => {
          const { content, shown, cutAt } = fitLines(lines, 999_998, ENVELOPE_BYTES + room);
          expect(shown).toBeGreaterThan(0);
          expect(content.split('\n')).toHaveLength(shown);
          // The quotes are part of the envelope.
          expect(jsonBytes(content) - 2).toBeLessThanOrEqual(room);
          const first = lines[0] as string;
          expect(content.startsWith(`999998→${cutAt === undefined ? first : first.slice(0, cutAt)}`)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are all of them where they fit exactly, and one fewer where a byte is missing', () => {
    const lines = ['a"', 'é', '\u0001'];
    // Six digits, an arrow of three bytes and a line break of two, beside each line as a JSON string.
    const needed = lines.reduce((sum, line) => sum + jsonBytes(line) + 11, 0);
    expect(fitLines(lines, 1, ENVELOPE_BYTES + needed).shown).toBe(3);
    expect(fitLines(lines, 1, ENVELOPE_BYTES + needed - 1)).toEqual({ content: '     1→a"\n     2→é', shown: 2 });
    expect(fitLines(['x'.repeat(100)], 1, ENVELOPE_BYTES + 20)).toEqual({
      content: '     1→xxxxxxx',
      shown: 1,
      cutAt: 7,
    });
  });
});

it('keeps as many items as fit, in their order', () => {
  const items = [{ a: 'é' }, { a: '"' }, { a: '' }];
  const needed = items.reduce((sum, item) => sum + bytesOf(item) + 1, 0);
  expect(fitItems(items, ENVELOPE_BYTES + needed)).toEqual(items);
  expect(fitItems(items, ENVELOPE_BYTES + needed - 1)).toEqual(items.slice(0, 2));
  expect(fitItems(['ab'], ENVELOPE_BYTES + 5)).toEqual(['ab']);
  expect(fitItems(['ab'], ENVELOPE_BYTES + 4)).toEqual([]);
  expect(fitItems(items, ENVELOPE_BYTES)).toEqual([]);
  expect(fitItems([], ENVELOPE_BYTES)).toEqual([]);
});
