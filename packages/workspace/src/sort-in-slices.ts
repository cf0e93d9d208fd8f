import type { Pace } from './pace.ts';

/** So many values are sorted or merged between two pauses. */
const AT_ONCE = 256;

/**
 * Sorts texts as `Array.prototype.sort` does without a function, in slices.
 *
 * @throws WorkspaceError `cancelled`
 */
export async function sortInSlices(values: readonly string[], pace: Pace): Promise<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let i = 0; i < values.length; i += AT_ONCE) {
    await pace.pause();
    runs.push(values.slice(i, i + AT_ONCE).sort());
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] ?? [], runs[i + 1] ?? [], pace));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(a: readonly string[], b: readonly string[], pace: Pace): Promise<readonly string[]> {
  const merged: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (merged.length % AT_ONCE === 0) await pace.pause();
    const isLeft = j >= b.length || (i < a.length && (a[i] as string) <= (b[j] as string));
    merged.push((isLeft ? a[i++] : b[j++]) as string);
  }
  return merged;
}
