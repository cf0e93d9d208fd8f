import { structuredPatch } from 'diff';
import type { Palette } from './colours.ts';
import { printable } from './printable.ts';

/** Longer lines are cut: some clients store megabytes in one line. */
const MAX_LINE_CHARS = 200;
const CONTEXT = 3;

/**
 * Renders a unified diff for people. Long lines are cut. Control characters are escaped, so that a file cannot control the
 * terminal.
 */
export function renderDiff(title: string, before: string, after: string, paint: Palette): string {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT });
  const name = printable(title);
  const lines = [paint.bold(`--- ${name}`), paint.bold(`+++ ${name}`)];
  for (const hunk of hunks) {
    lines.push(paint.dim(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`));
    for (const line of hunk.lines) lines.push(paintLine(readable(line), paint));
  }
  return `${lines.join('\n')}\n`;
}

/** Renders the hunks of a unified diff, indented, like {@link renderDiff}. */
export function renderHunks(diff: string, paint: Palette): string {
  if (diff === '') return '';
  const lines = diff.replace(/\n$/, '').split('\n');
  return lines
    .map((line) => `      ${line.startsWith('@@') ? paint.dim(line) : paintLine(readable(line), paint)}\n`)
    .join('');
}

function paintLine(line: string, paint: Palette): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}

function readable(line: string): string {
  const shown = printable(line.replace(/\r$/, ''));
  return shown.length > MAX_LINE_CHARS ? `${shown.slice(0, MAX_LINE_CHARS)}…` : shown;
}
