import { structuredPatch } from 'diff';
import type { Palette } from './colours.ts';

/** Some clients keep megabytes on one line. */
const MAX_LINE_CHARS = 200;
const CONTEXT = 3;

/**
 * A unified diff for people: long lines cut, control characters shown as escapes, so that nothing in a file can play
 * tricks on the terminal.
 */
export function renderDiff(title: string, before: string, after: string, paint: Palette): string {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT });
  const lines = [paint.bold(`--- ${title}`), paint.bold(`+++ ${title}`)];
  for (const hunk of hunks) {
    lines.push(paint.dim(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`));
    for (const line of hunk.lines) lines.push(paintLine(readable(line), paint));
  }
  return `${lines.join('\n')}\n`;
}

function paintLine(line: string, paint: Palette): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}

function readable(line: string): string {
  const shown = line
    .replace(/\r$/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return shown.length > MAX_LINE_CHARS ? `${shown.slice(0, MAX_LINE_CHARS)}…` : shown;
}
