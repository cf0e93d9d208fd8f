import { structuredPatch } from 'diff';

/** Past this many changed lines a minimal diff costs more than it tells; the changed block is shown whole. */
const MAX_EDIT_LENGTH = 2_000;
const CONTEXT = 3;

/**
 * A unified diff of two texts, headed by `path` on both sides; empty when they are equal. Only the part between the
 * first and the last changed line is compared, so its cost follows the change and not the file.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const old = before.split('\n');
  const now = after.split('\n');
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.max(0, tail - CONTEXT);
  const a = old.slice(from, old.length - kept).join('\n');
  const b = now.slice(from, now.length - kept).join('\n');
  // The slice ends inside the file unless it reaches its end: then its last line does have a line break.
  const open = kept > 0 ? '\n' : '';
  const patch = structuredPatch(path, path, a + open, b + open, undefined, undefined, { context: CONTEXT, maxEditLength: MAX_EDIT_LENGTH });
  const header = `--- ${path}\n+++ ${path}\n`;
  if (!patch) return header + wholeBlock(old, now, head, tail);
  return header + patch.hunks.map((hunk) => `@@ -${hunk.oldStart + from},${hunk.oldLines} +${hunk.newStart + from},${hunk.newLines} @@\n${hunk.lines.join('\n')}\n`).join('');
}

function wholeBlock(old: readonly string[], now: readonly string[], head: number, tail: number): string {
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `@@ -${head + 1},${removed.length} +${head + 1},${added.length} @@\n${lines.join('\n')}\n`;
}
