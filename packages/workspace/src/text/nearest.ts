/** The place in a file that looks most like a search text that is not in it. */
export interface Nearest {
  readonly line: number;
  readonly text: string;
}

const MAX_LINES = 50_000;
const MAX_TEXT = 2_000;
const MIN_LIKENESS = 0.5;

/**
 * Finds the lines most similar to `search`, by shared pairs of characters and ignoring indentation, so that a failed
 * edit can show the actual text. Bounded: compares only the first 50,000 lines, and 8 lines of the search.
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
    const first = alike(pattern[0] as Pairs, fold(lines[i] as string));
    // A block is worth comparing only where its first line is somewhat alike.
    if (first < 0.3) continue;
    let sum = first;
    for (let k = 1; k < pattern.length; k++) sum += alike(pattern[k] as Pairs, fold(lines[i + k] ?? ''));
    const likeness = sum / pattern.length;
    if (likeness > best.likeness) best = { likeness, line: i };
  }
  if (best.likeness < MIN_LIKENESS) return undefined;
  const start = Math.max(0, best.line - lead);
  const shown = lines.slice(start, start + wanted.length).join('\n');
  return { line: start + 1, text: shown.slice(0, MAX_TEXT) };
}

function fold(line: string): string {
  // Cut first: a line may be megabytes long.
  return line.slice(0, 1_000).trim().replace(/\s+/g, ' ').slice(0, 200);
}

/** The pairs of characters of a line, each with its place in the counts, and a second set of counts to work on. */
interface Pairs {
  readonly places: ReadonlyMap<number, number>;
  readonly counts: Int32Array;
  readonly left: Int32Array;
  readonly total: number;
}

function pairsOf(line: string): Pairs {
  const places = new Map<number, number>();
  const counts: number[] = [];
  for (let i = 0; i + 1 < line.length; i++) {
    const pair = pairAt(line, i);
    const place = places.get(pair) ?? counts.length;
    places.set(pair, place);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return {
    places,
    counts: Int32Array.from(counts),
    left: new Int32Array(counts.length),
    total: Math.max(0, line.length - 1),
  };
}

function pairAt(line: string, i: number): number {
  return line.charCodeAt(i) * 65_536 + line.charCodeAt(i + 1);
}

/** Dice's coefficient over pairs of characters: 1 for equal lines, 0 for nothing in common. */
function alike(pattern: Pairs, line: string): number {
  const own = Math.max(0, line.length - 1);
  const total = own + pattern.total;
  if (total === 0) return 1;
  // Lengths alone can say that it is not worth counting.
  if ((2 * Math.min(own, pattern.total)) / total < 0.3) return 0;
  pattern.left.set(pattern.counts);
  let shared = 0;
  for (let i = 0; i < own; i++) {
    const place = pattern.places.get(pairAt(line, i));
    if (place === undefined || pattern.left[place] === 0) continue;
    shared++;
    (pattern.left[place] as number)--;
  }
  return (2 * shared) / total;
}
