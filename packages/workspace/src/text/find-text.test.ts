import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { includesText, TextFinder } from './find-text.ts';

/** Few letters and long runs, so that parts of a search text occur often. */
const runs = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '\n', '\u{1f680}', '\ud83d'), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));

describe('the search for a text', () => {
  it('finds what indexOf, lastIndexOf, includes and replaceAll find', () => {
    const pair = fc.tuple(runs, runs, fc.boolean(), fc.nat(400)).map(([wanted, text, isInside, from]) => ({
      wanted,
      text: isInside ? text + wanted + text + wanted : text.repeat(4),
      from,
    }));
    fc.assert(
      fc.property(pair, ({ wanted, text, from }) => {
        const finder = new TextFinder(wanted);
        expect(finder.first(text, from)).toBe(text.indexOf(wanted, from));
        expect(finder.last(text)).toBe(text.lastIndexOf(wanted));
        expect(includesText(text, wanted)).toBe(text.includes(wanted));
        expect(finder.count(text)).toBe(text.split(wanted).length - 1);
        expect(finder.replaceAll(text, (at) => `<${at}>`)).toBe(text.replaceAll(wanted, (_, at) => `<${at}>`));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds a long text in itself, and none in a shorter one', () => {
    const wanted = 'ab'.repeat(40);
    const found = [wanted, `x${wanted}`, wanted.slice(1), `${wanted}${wanted}`].map((text) => {
      const finder = new TextFinder(wanted);
      return [finder.first(text), finder.last(text), finder.count(text), includesText(text, wanted)];
    });
    expect(found).toEqual([
      [0, 0, 1, true],
      [1, 1, 1, true],
      [-1, -1, 0, false],
      [0, 80, 2, true],
    ]);
  });

  it('takes time in proportion to the text for texts that repeat', async () => {
    const size = 400_000;
    const text = 'a'.repeat(size);
    const wanted = `${'a'.repeat(size / 4)}b${'a'.repeat(size / 4)}`;
    const search = () => [new TextFinder(wanted).first(text), new TextFinder(wanted).last(text)];
    expect(search()).toEqual([-1, -1]);
    // More than 1,000 with indexOf.
    await expect.poll(() => costOf(search)).toBeLessThan(50);
  });

  it('searches texts that do not repeat with indexOf alone', () => {
    const work = { slowSteps: 0 };
    const text = Array.from({ length: 20_000 }, (_, at) => `    const value${at} = ${at};\n`).join('');
    const wanted = text.slice(-5_000);
    expect(new TextFinder(wanted, work).first(text)).toBe(text.length - 5_000);
    expect(new TextFinder(`${wanted}!`, work).first(text)).toBe(-1);
    expect(work.slowSteps).toBe(0);
  });

  it('counts its slow steps', () => {
    const work = { slowSteps: 0 };
    expect(new TextFinder(`${'a'.repeat(50)}b`, work).first('a'.repeat(10_000))).toBe(-1);
    expect(work.slowSteps).toBeGreaterThan(5_000);
    expect(work.slowSteps).toBeLessThanOrEqual(10_000);
  });
});
