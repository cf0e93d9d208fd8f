const MAX_PATTERN_LENGTH = 1_000;
const MAX_REPEAT = 100;
/** With three, the time grows with the fourth power of the length of a name. */
const MAX_UNBOUNDED = 3;
/** Match no longer names: a model may write one of any length. Protocols allow up to 128 characters for a tool. */
export const MAX_MATCHED = 128;

/**
 * Compiles a pattern for names of tools, models or agents: case-insensitive, unanchored. Returns a sentence if the
 * pattern is invalid, longer than 1,000 characters, or could backtrack for too long (back references, look-around, a
 * repetition inside a repetition, more than 100 counted repetitions, more than three unbounded ones, or many optional parts).
 */
export function compileToolPattern(source: string): RegExp | string {
  if (source.length > MAX_PATTERN_LENGTH) return `a pattern must be at most ${MAX_PATTERN_LENGTH} characters long`;
  let compiled: RegExp;
  try {
    compiled = new RegExp(source, 'i');
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\s+/g, ' ') : 'is not a valid regular expression';
  }
  const danger = examine(source).danger ?? (stepsOf(source) > MAX_STEPS ? 'too many ways to match a name' : undefined);
  return danger === undefined
    ? compiled
    : `the pattern ${JSON.stringify(source.slice(0, 80))} has ${danger}, which can take for ever`;
}

/**
 * The most steps of matching a pattern that compiles, about. Three repetitions without an end take 12 million, a tenth of a
 * second. A project's file has patterns of an author who is not trusted.
 */
export const MAX_STEPS = 100_000_000;

/** At most so many steps a pattern takes for a name: the number of ways to match it, from each of its characters. */
export function stepsOf(source: string): number {
  const { unbounded, ways } = examine(source);
  let steps = ways;
  // The beginning of a match and the end of each repetition are places in their order in the name.
  for (let at = 1; at <= unbounded + 1; at++) steps *= (MAX_MATCHED + unbounded + 1 - at) / at;
  return steps;
}

interface Group {
  /** The group contains a repetition or a choice, so repeating the group could match the same text in many ways. */
  manyWays: boolean;
  /** In how many ways its latest alternative can match, repetitions without an end aside. */
  ways: number;
  /** The same of its alternatives before. */
  before: number;
}

interface Examined {
  readonly danger: string | undefined;
  readonly unbounded: number;
  readonly ways: number;
}

/** Reads a pattern that is known to compile, in one pass. */
function examine(source: string): Examined {
  const group = (): Group => ({ manyWays: false, ways: 1, before: 0 });
  const open: Group[] = [group()];
  let last: Group | undefined;
  let unbounded = 0;
  let danger: string | undefined;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    const own = open.at(-1) as Group;
    const repeat = repeatAt(source, i);
    if (repeat !== undefined) {
      const { least, most } = repeat;
      if (most > 1) {
        if (last?.manyWays) danger ??= 'a repetition or a choice inside a repetition';
        if (Number.isFinite(most) && most > MAX_REPEAT) danger ??= `more than ${MAX_REPEAT} counted repetitions`;
        if (most === Number.POSITIVE_INFINITY && ++unbounded > MAX_UNBOUNDED)
          danger ??= `more than ${MAX_UNBOUNDED} repetitions without an end`;
        own.manyWays = true;
      }
      const inner = last === undefined ? 1 : last.before + last.ways;
      if (Number.isFinite(most)) own.ways *= (most === 1 && least === 0 ? 1 + inner : most - least + inner) / inner;
      i += repeat.length - 1;
      last = undefined;
    } else if (char === '\\') {
      if (/[1-9k]/.test(source[i + 1] ?? '')) danger ??= 'a back reference';
      i++;
      last = undefined;
    } else if (char === '[') {
      i = endOfClass(source, i);
      last = undefined;
    } else if (char === '(') {
      if (/^\(\?(?:<?[=!])/.test(source.slice(i, i + 4))) danger ??= 'look-around';
      open.push(group());
      last = undefined;
    } else if (char === ')') {
      last = open.pop() as Group;
      const outer = open.at(-1) as Group;
      if (last.manyWays) outer.manyWays = true;
      outer.ways *= last.before + last.ways;
    } else {
      if (char === '|') Object.assign(own, { manyWays: true, before: own.before + own.ways, ways: 1 });
      last = undefined;
    }
  }
  const [{ before, ways }] = open as [Group];
  return { danger, unbounded, ways: before + ways };
}

/** The quantifier at this position: its length in characters, and its counts. */
function repeatAt(
  source: string,
  at: number,
): { readonly length: number; readonly least: number; readonly most: number } | undefined {
  const match = /^(?:([*+])|(\?)|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at, at + 32));
  // In `(?:`, `(?<name>` and similar, the question mark belongs to the group.
  if (match === null || (match[2] && source[at - 1] === '(')) return undefined;
  if (match[1]) return { length: match[0].length, least: match[1] === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY };
  if (match[2]) return { length: match[0].length, least: 0, most: 1 };
  const most =
    match[4] === undefined ? Number(match[3]) : match[5] === '' ? Number.POSITIVE_INFINITY : Number(match[5]);
  return { length: match[0].length, least: Number(match[3]), most };
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
