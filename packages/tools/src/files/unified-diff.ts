import { structuredPatch } from 'diff';

/** With more changed lines, the whole block is shown, because a minimal diff would take too long. */
const MAX_EDIT_LENGTH = 2_000;
const CONTEXT = 3;

/** One hunk. Line numbers start at 1. */
interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/**
 * Builds a unified diff of two texts with `path` on both sides; empty if they are equal. `patch -p0` and `git apply -p0` accept
 * it. Compares only the part between the first and the last changed line, so the cost depends on the change, not on the file.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.max(0, tail - CONTEXT);
  const a = old.slice(from, old.length - kept);
  const b = now.slice(from, now.length - kept);
  const patch = structuredPatch(path, path, a.join(''), b.join(''), undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  const hunks = patch?.hunks ?? [wholeBlock(a, b, head - from, tail - kept)];
  const name = headerName(path);
  return `--- ${name}\n+++ ${name}\n${hunks.map((hunk) => printHunk(hunk, from)).join('')}`;
}

/** Splits into lines with their line feeds, so that a missing last line feed is a difference too. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function wholeBlock(a: readonly string[], b: readonly string[], head: number, tail: number): Hunk {
  const lines = [
    ...a.slice(0, head).map((line) => ` ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
    ...a.slice(a.length - tail).map((line) => ` ${line}`),
  ];
  const printed = lines.map((line) =>
    line.endsWith('\n') ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`,
  );
  return { oldStart: 1, oldLines: a.length, newStart: 1, newLines: b.length, lines: printed };
}

/** Prints a hunk. An empty side has the number of the line before it. */
function printHunk({ oldStart, oldLines, newStart, newLines, lines }: Hunk, from: number): string {
  const start = (first: number, count: number) => from + first - (count === 0 ? 1 : 0);
  return `@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@\n${lines.join('\n')}\n`;
}

/** Writes a name like git: C escapes for control characters, and a tab after a name with a space. */
function headerName(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a name would end the header
  if (!/[\u0000-\u001f\u007f"\\]/.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const escaped = path.replace(/["\\]/g, '\\$&');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return `"${escaped.replace(/[\u0000-\u001f\u007f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}
