const MAX_LINES = 100;
const REST = 'Further lines are left out.';

/**
 * The log of one run of a node with one more line, as histories and pages keep it: its first 100 lines. The same list where
 * it is full.
 */
export function withLogLine(lines: readonly string[] = [], text: string): readonly string[] {
  if (lines.length > MAX_LINES) return lines;
  return [...lines, lines.length === MAX_LINES ? REST : text];
}
