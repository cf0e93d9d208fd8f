import { type ChangedLines, changedLines } from './changed-lines.ts';

/** With more changed lines, the whole part from the first to the last change is shown, because a minimal diff would take too long. */
const MAX_EDITS = 2_000;
/** The same with more lines from the first to the last change: splitting them would hold the event loop. */
const MAX_LINES = 200_000;
const CONTEXT = 3;
/** Characters that are compared at once. */
const STRIDE = 4_096;

/**
 * Builds a unified diff of two texts with `path` on both sides; empty if they are equal. `patch -p0` and `git apply -p0` accept
 * it. Compares only the part between the first and the last changed line, so the cost depends on the change, not on the file.
 *
 * @param maxChars the diff may end after this many characters, in the middle of a hunk
 */
export function unifiedDiff(path: string, before: string, after: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (before === after) return '';
  const name = headerName(path);
  const lines = [`--- ${name}\n+++ ${name}\n`];
  let printed = 0;
  for (const line of diffLines(before, after)) {
    lines.push(line);
    printed += line.length;
    if (printed > maxChars) break;
  }
  return lines.join('');
}

/**
 * The headers and lines of the hunks of a unified diff, each with its line break; none if the texts are equal.
 *
 * @param maxEdits with more changed lines, one hunk has the whole part from the first to the last change
 */
export function* diffLines(before: string, after: string, maxEdits = MAX_EDITS): Generator<string> {
  if (before === after) return;
  const { start, oldEnd, newEnd } = changedPart(before, after);
  const from = stepBack(before, start, CONTEXT);
  const old = before.slice(from, stepOn(before, oldEnd, CONTEXT));
  const now = after.slice(from, stepOn(after, newEnd, CONTEXT));
  const counts = { old: countLines(old), now: countLines(now), offset: countLines(before.slice(0, from)) };
  if (counts.old + counts.now <= MAX_LINES && Math.abs(counts.old - counts.now) <= maxEdits) {
    const [a, b] = [linesOf(old), linesOf(now)];
    const blocks = changedLines(a, b, maxEdits);
    if (blocks) {
      for (const hunk of toHunks(blocks)) yield* printHunk(hunk, a, b, counts.offset);
      return;
    }
  }
  const tail = before.length - oldEnd;
  yield hunkHeader(counts);
  yield* printLines(' ', before.slice(from, start));
  yield* printLines('-', before.slice(start, oldEnd));
  yield* printLines('+', after.slice(start, newEnd));
  yield* printLines(' ', tail === 0 ? '' : before.slice(oldEnd, stepOn(before, oldEnd, CONTEXT)));
}

/** The part of both texts that differs, extended to whole lines. */
function changedPart(before: string, after: string): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.slice(head, head + STRIDE) === after.slice(head, head + STRIDE)) head += STRIDE;
  head = Math.min(head, shorter);
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  const start = lineStart(before, head);
  let tail = 0;
  const most = shorter - start;
  const ending = (text: string, size: number) => text.slice(text.length - size - STRIDE, text.length - size);
  while (tail + STRIDE <= most && ending(before, tail) === ending(after, tail)) tail += STRIDE;
  while (tail < most && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++;
  let oldEnd = before.length - tail;
  const isStart = (text: string, at: number) => at === 0 || text[at - 1] === '\n';
  if (!isStart(before, oldEnd) || !isStart(after, after.length - tail)) oldEnd = stepOn(before, oldEnd, 1);
  return { start, oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** The start of the line `lines` before that which starts at `at`. */
function stepBack(text: string, at: number, lines: number): number {
  let start = at;
  for (let i = 0; i < lines && start > 0; i++) start = lineStart(text, start - 1);
  return start;
}

/** The end of the line `lines` after `at`. */
function stepOn(text: string, at: number, lines: number): number {
  let end = at;
  for (let i = 0; i < lines && end < text.length; i++) {
    const feed = text.indexOf('\n', end);
    end = feed === -1 ? text.length : feed + 1;
  }
  return end;
}

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 10) count++;
  return count;
}

/** Splits into lines with their line feeds, so that a missing last line feed is a difference too. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = (lines.pop() as string).slice(0, -1);
  return last === '' ? lines : [...lines, last];
}

/** Joins changes whose context overlaps. */
function toHunks(blocks: readonly ChangedLines[]): ChangedLines[][] {
  const hunks: ChangedLines[][] = [];
  for (const block of blocks) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (last && block.oldFrom - last.oldTo <= 2 * CONTEXT) hunk?.push(block);
    else hunks.push([block]);
  }
  return hunks;
}

function* printHunk(
  blocks: readonly ChangedLines[],
  a: readonly string[],
  b: readonly string[],
  offset: number,
): Generator<string> {
  const first = blocks[0] as ChangedLines;
  const last = blocks.at(-1) as ChangedLines;
  const lead = Math.min(CONTEXT, first.oldFrom);
  const trail = Math.min(CONTEXT, a.length - last.oldTo);
  const counts = {
    old: last.oldTo + trail - first.oldFrom + lead,
    now: last.newTo + trail - first.newFrom + lead,
    offset,
  };
  yield hunkHeader(counts, first.oldFrom - lead, first.newFrom - lead);
  let at = first.oldFrom - lead;
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    for (; at < oldFrom; at++) yield printLine(' ', a[at] as string);
    for (; at < oldTo; at++) yield printLine('-', a[at] as string);
    for (let j = newFrom; j < newTo; j++) yield printLine('+', b[j] as string);
  }
  for (let i = 0; i < trail; i++) yield printLine(' ', a[at + i] as string);
}

/** An empty side has the number of the line before it. */
function hunkHeader(counts: { old: number; now: number; offset: number }, oldFrom = 0, newFrom = 0): string {
  const start = (from: number, count: number) => counts.offset + from + (count === 0 ? 0 : 1);
  return `@@ -${start(oldFrom, counts.old)},${counts.old} +${start(newFrom, counts.now)},${counts.now} @@\n`;
}

/** The lines of a text, with a mark. */
function* printLines(mark: string, text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = stepOn(text, at, 1);
    yield printLine(mark, text.slice(at, end));
    at = end;
  }
}

const printLine = (mark: string, line: string): string =>
  line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;

/** Writes a name like git: C escapes for control characters, and a tab after a name with a space. */
function headerName(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a name would end the header
  if (!/[\u0000-\u001f\u007f"\\]/.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const escaped = path.replace(/["\\]/g, '\\$&');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return `"${escaped.replace(/[\u0000-\u001f\u007f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}
