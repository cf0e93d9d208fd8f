/** The place in a file that looks most like a search text that is not in it. */
export interface Nearest {
  readonly line: number;
  readonly text: string;
}

const MAX_LINES = 50_000;
const MAX_TEXT = 2_000;
const MIN_LIKENESS = 0.5;

/**
 * Finds the lines most like `search`, by shared pairs of characters and ignoring indentation, so that a failed edit
 * can show what really stands there. Bounded: only the first 50,000 lines are looked at, and 8 lines of the search.
 */
export function nearestText(text: string, search: string): Nearest | undefined {
  const lines = text.split('\n', MAX_LINES);
  const wanted = search.split('\n').map(fold);
  const lead = wanted.findIndex((line) => line.length > 1);
  if (lead === -1) return undefined;
  const pattern = wanted.slice(lead, lead + 8).map(pairsOf);
  // Comparing is dear, so only lines that share a word with the first one are compared.
  const words = (wanted[lead] as string).match(/\w{3,}/g)?.slice(0, 8) ?? [];
  let best = { likeness: 0, line: -1 };
  for (let i = 0; i < lines.length; i++) {
    if (words.length > 0 && !words.some((word) => (lines[i] as string).includes(word))) continue;
    const first = alike(pattern[0] as Map<string, number>, fold(lines[i] as string));
    // A block is worth comparing only where its first line is somewhat alike.
    if (first < 0.3) continue;
    let sum = first;
    for (let k = 1; k < pattern.length; k++) sum += alike(pattern[k] as Map<string, number>, fold(lines[i + k] ?? ''));
    const likeness = sum / pattern.length;
    if (likeness > best.likeness) best = { likeness, line: i };
  }
  if (best.likeness < MIN_LIKENESS) return undefined;
  const start = Math.max(0, best.line - lead);
  const shown = lines.slice(start, start + wanted.length).join('\n');
  return { line: start + 1, text: shown.slice(0, MAX_TEXT) };
}

function fold(line: string): string {
  return line.trim().replace(/\s+/g, ' ').slice(0, 200);
}

function pairsOf(line: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < line.length; i++) {
    const pair = line.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient over pairs of characters: 1 for equal lines, 0 for nothing in common. */
function alike(pattern: Map<string, number>, line: string): number {
  let total = Math.max(0, line.length - 1);
  let shared = 0;
  const left = new Map(pattern);
  for (const count of pattern.values()) total += count;
  if (total === 0) return 1;
  for (let i = 0; i + 1 < line.length; i++) {
    const pair = line.slice(i, i + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    shared++;
    left.set(pair, count - 1);
  }
  return (2 * shared) / total;
}
