/**
 * How to split text into lines. `newline`: at `\n`, dropping a `\r` before it, as grep, git and editors count.
 * `universal`: at every break of Python's `splitlines`, which the contract of `read_file` requires.
 */
export type LineRule = 'newline' | 'universal';

// biome-ignore format: one break a line would hide the list
const UNIVERSAL = /\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/;

/** Whether the two rules split this text differently. */
export function hasOtherBreaks(text: string): boolean {
  return /\r(?!\n)|[\v\f\x1c\x1d\x1e\x85\u2028\u2029]/.test(text);
}

/** The lines of `text` without their breaks. A trailing break adds no empty line; empty text has no lines. */
export function splitLines(text: string, rule: LineRule): string[] {
  if (text === '') return [];
  // Splitting a large text at a string takes about half as long as at an expression.
  const isPlain = rule === 'newline' || !hasOtherBreaks(text);
  const lines = isPlain ? text.split('\n') : text.split(UNIVERSAL);
  if (lines.at(-1) === '') lines.pop();
  if (isPlain && text.includes('\r')) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as string;
      if (line.endsWith('\r')) lines[i] = line.slice(0, -1);
    }
  }
  return lines;
}

/** `     1→text`: the numbered form of the contract, six wide and growing past 999,999. */
export function numberLines(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, i) => numberPrefix(firstNumber + i) + line).join('\n');
}

/** Cached prefixes of the first lines: creating them for each read takes half the cost of numbering. */
const PREFIXES: string[] = ['     0→'];
const MAX_PREFIXES = 4_096;

/** The prefix of a line with this number. */
export function numberPrefix(number: number): string {
  const known = PREFIXES[number];
  if (known !== undefined) return known;
  const made = `${String(number).padStart(6)}→`;
  // Filled in order, so that it stays a plain array.
  if (number === PREFIXES.length && number < MAX_PREFIXES) PREFIXES.push(made);
  return made;
}
