/** Lines `[oldFrom, oldTo)` that are replaced by lines `[newFrom, newTo)`; one of both may be empty. */
export interface ChangedLines {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/**
 * Finds the fewest lines to delete and insert (Myers, "An O(ND) difference algorithm"), in order. Returns `undefined` if
 * they are more than `most`, which bounds time and memory by the square of `most`.
 */
export function changedLines(old: readonly string[], now: readonly string[], most: number): ChangedLines[] | undefined {
  if (Math.abs(old.length - now.length) > most) return undefined;
  const ids = new Map<string, number>();
  const a = toIds(old, ids);
  const b = toIds(now, ids);
  const trace = furthestPoints(a, b, most);
  return trace && toBlocks(trace, a.length, b.length);
}

/** Equal lines get equal numbers, so that long lines are compared once. */
function toIds(lines: readonly string[], ids: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  });
}

/**
 * For each number of edits `d`, how many old lines a path of `d` edits can pass at most, by diagonal: `trace[d][k + d]` for
 * the diagonal `k` (old lines minus new lines).
 */
function furthestPoints(a: Int32Array, b: Int32Array, most: number): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    const points = new Int32Array(2 * d + 1);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : arrival(trace[d - 1] as Int32Array, d, k).x;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      points[k + d] = x;
      if (x >= a.length && y >= b.length) return [...trace, points];
    }
    trace.push(points);
  }
  return undefined;
}

/** The edit number `d` that reaches diagonal `k`: an insertion from `k + 1` or a deletion from `k - 1`, whichever gets further. */
function arrival(before: Int32Array, d: number, k: number): { readonly x: number; readonly inserts: boolean } {
  // The points of d - 1 edits: diagonal k is at index k + d - 1.
  const above = k + 1 <= d - 1 ? (before[k + d] as number) : -1;
  const left = k - 1 >= 1 - d ? (before[k + d - 2] as number) : -1;
  const inserts = k === -d || (k !== d && left < above);
  return { x: inserts ? above : left + 1, inserts };
}

function toBlocks(trace: readonly Int32Array[], oldLength: number, newLength: number): ChangedLines[] {
  const deleted = new Uint8Array(oldLength + 1);
  const inserted = new Uint8Array(newLength + 1);
  let k = oldLength - newLength;
  for (let d = trace.length - 1; d > 0; d--) {
    const { x, inserts } = arrival(trace[d - 1] as Int32Array, d, k);
    if (inserts) inserted[x - k - 1] = 1;
    else deleted[x - 1] = 1;
    k += inserts ? 1 : -1;
  }
  const blocks: ChangedLines[] = [];
  for (let i = 0, j = 0; i < oldLength || j < newLength; i++, j++) {
    const [oldFrom, newFrom] = [i, j];
    while (deleted[i]) i++;
    while (inserted[j]) j++;
    if (i > oldFrom || j > newFrom) blocks.push({ oldFrom, oldTo: i, newFrom, newTo: j });
  }
  return blocks;
}
