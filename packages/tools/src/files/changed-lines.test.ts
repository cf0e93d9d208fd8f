import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangedLines, changedLines } from './changed-lines.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

const edits = (blocks: readonly ChangedLines[]) =>
  blocks.reduce((sum, { oldFrom, oldTo, newFrom, newTo }) => sum + oldTo - oldFrom + newTo - newFrom, 0);

/** The lines that both have in the same order, at most: by the table of all prefixes. */
function mostInCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => [0, ...b.map(() => 0)]);
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] as number[])[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length, b.length);
}

describe('changed lines', () => {
  it('turn one text into the other with the fewest deletions and insertions', () => {
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const blocks = changedLines(old, now, 24);
        const made: string[] = [];
        let at = 0;
        for (const { oldFrom, oldTo, newFrom, newTo } of blocks ?? []) {
          made.push(...old.slice(at, oldFrom), ...now.slice(newFrom, newTo));
          at = oldTo;
        }
        expect([...made, ...old.slice(at)]).toEqual(now);
        expect(edits(blocks ?? [])).toBe(old.length + now.length - 2 * mostInCommon(old, now));
      }),
      { numRuns: 500 },
    );
  });

  it('are blocks of old lines and the new ones that replace them', () => {
    const block = (oldFrom: number, oldTo: number, newFrom: number, newTo: number) => ({
      oldFrom,
      oldTo,
      newFrom,
      newTo,
    });
    const blocks = (old: string, now: string) => changedLines([...old], [...now], 20);
    expect(
      [
        ['', ''],
        ['abc', 'abc'],
        ['', 'ab'],
        ['ab', ''],
        ['abcd', 'axcde'],
        ['abc', 'bc'],
        ['abc', 'xabcy'],
        ['abcabba', 'cbabac'],
        ['aab', 'ab'],
        ['ab', 'aab'],
      ].map(([old = '', now = '']) => blocks(old, now)),
    ).toEqual([
      [],
      [],
      [block(0, 0, 0, 2)],
      [block(0, 2, 0, 0)],
      [block(1, 2, 1, 2), block(4, 4, 4, 5)],
      [block(0, 1, 0, 0)],
      [block(0, 0, 0, 1), block(3, 3, 4, 5)],
      [block(0, 2, 0, 0), block(3, 3, 1, 2), block(5, 6, 4, 4), block(7, 7, 5, 6)],
      [block(1, 2, 1, 1)],
      [block(1, 1, 1, 2)],
    ]);
  });

  it('are not searched beyond the limit', () => {
    expect(changedLines(['a', 'b'], ['c', 'd'], 4)).toEqual([{ oldFrom: 0, oldTo: 2, newFrom: 0, newTo: 2 }]);
    expect(changedLines(['a', 'b'], ['c', 'd'], 3)).toBeUndefined();
    expect(changedLines(['a'], ['a', 'b', 'c', 'd'], 3)).toEqual([{ oldFrom: 1, oldTo: 1, newFrom: 1, newTo: 4 }]);
    expect(changedLines(['a'], ['a', 'b', 'c', 'd'], 2)).toBeUndefined();
    expect(changedLines(['a'], ['a'], 0)).toEqual([]);
  });
});
