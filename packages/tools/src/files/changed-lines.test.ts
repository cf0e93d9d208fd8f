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

  it('are not searched beyond the limit', () => {
    expect(changedLines(['a', 'b'], ['c', 'd'], 4)).toHaveLength(1);
    expect(changedLines(['a', 'b'], ['c', 'd'], 3)).toBeUndefined();
  });
});
