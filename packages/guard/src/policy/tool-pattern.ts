const MAX_PATTERN_LENGTH = 1_000;
const MAX_REPEAT = 100;
/** With three, the time grows with the fourth power of the length of a name. */
const MAX_UNBOUNDED = 3;
/** Match no longer names: a model may write one of any length. Protocols allow up to 128 characters for a tool. */
export const MAX_MATCHED = 128;

/**
 * Compiles a pattern for names of tools, models or agents: case-insensitive, unanchored. Returns a sentence if the
 * pattern is invalid, longer than 1,000 characters, or could backtrack for too long (back references, look-around, a
 * repetition inside a repetition, more than 100 counted repetitions, more than three unbounded ones).
 */
export function compileToolPattern(source: string): RegExp | string {
  if (source.length > MAX_PATTERN_LENGTH) return `a pattern must be at most ${MAX_PATTERN_LENGTH} characters long`;
  let compiled: RegExp;
  try {
    compiled = new RegExp(source, 'i');
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\s+/g, ' ') : 'is not a valid regular expression';
  }
  const danger = dangerOf(source);
  return danger === undefined
    ? compiled
    : `the pattern ${JSON.stringify(source.slice(0, 80))} has ${danger}, which can take for ever`;
}

interface Group {
  /** The group contains a repetition or a choice, so repeating the group could match the same text in many ways. */
  manyWays: boolean;
}

/** Checks in one pass a pattern that is known to compile. */
function dangerOf(source: string): string | undefined {
  const open: Group[] = [{ manyWays: false }];
  let last: Group | undefined;
  let unbounded = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    const repeat = repeatAt(source, i);
    if (repeat !== undefined) {
      if (repeat.most > 1) {
        if (last?.manyWays) return 'a repetition or a choice inside a repetition';
        if (Number.isFinite(repeat.most) && repeat.most > MAX_REPEAT)
          return `more than ${MAX_REPEAT} counted repetitions`;
        if (repeat.most === Number.POSITIVE_INFINITY && ++unbounded > MAX_UNBOUNDED)
          return `more than ${MAX_UNBOUNDED} repetitions without an end`;
        (open.at(-1) as Group).manyWays = true;
      }
      i += repeat.length - 1;
      last = undefined;
    } else if (char === '\\') {
      if (/[1-9k]/.test(source[i + 1] ?? '')) return 'a back reference';
      i++;
      last = undefined;
    } else if (char === '[') {
      i = endOfClass(source, i);
      last = undefined;
    } else if (char === '(') {
      if (/^\(\?(?:<?[=!])/.test(source.slice(i, i + 4))) return 'look-around';
      open.push({ manyWays: false });
      last = undefined;
    } else if (char === ')') {
      last = open.pop() as Group;
      if (last.manyWays) (open.at(-1) as Group).manyWays = true;
    } else {
      if (char === '|') (open.at(-1) as Group).manyWays = true;
      last = undefined;
    }
  }
  return undefined;
}

/** The quantifier at this position: its length in characters, and its maximum count. */
function repeatAt(source: string, at: number): { readonly length: number; readonly most: number } | undefined {
  const match = /^(?:([*+])|(\?)|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at, at + 32));
  // In `(?:`, `(?<name>` and similar, the question mark belongs to the group.
  if (match === null || (match[2] && source[at - 1] === '(')) return undefined;
  if (match[1]) return { length: match[0].length, most: Number.POSITIVE_INFINITY };
  if (match[2]) return { length: match[0].length, most: 1 };
  const most =
    match[4] === undefined ? Number(match[3]) : match[5] === '' ? Number.POSITIVE_INFINITY : Number(match[5]);
  return { length: match[0].length, most };
}

function endOfClass(source: string, at: number): number {
  let i = at + 1;
  while (i < source.length && source[i] !== ']') i += source[i] === '\\' ? 2 : 1;
  return i;
}

/** A test of names of models and agents, of which only the beginning is matched. */
export const matches =
  (pattern: RegExp) =>
  (name: string): boolean =>
    pattern.test(name.slice(0, MAX_MATCHED));
