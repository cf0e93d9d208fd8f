import { setFlagsFromString } from 'node:v8';
import { mayBacktrack } from './may-backtrack.ts';
import { type PatternSource, type PatternToken, largestCount, type SetItem, tokenize } from './pattern-tokens.ts';
import { type LinePattern, toPatternSource } from './pattern-source.ts';

/**
 * The engine that runs a pattern:
 *
 * - `v8`: patterns of a simple form, and those that V8's linear engine takes over after too many steps back
 * - `re2`: re2js, in linear time, for what V8's linear engine refuses
 * - `backtracking`: look-around, back-references and large counts, in V8 with a short deadline
 */
export type PatternEngine =
  | { readonly kind: 'v8' | 'backtracking'; readonly source: PatternSource }
  | { readonly kind: 're2'; readonly expression: string };

/** Largest count that an engine may have to write out; beyond it, a line takes too long in linear time too. */
const MAX_COUNT = 50;
/** JavaScript's `\s`, which is wider than RE2's. */
const SPACES: readonly SetItem[] = [
  [9, 13],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
/** What JavaScript's `.` does not match. */
const LINE_ENDS: readonly SetItem[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];

// Past 20,000 steps back a pattern is handed to V8's linear engine; the flag `l` asks whether that engine takes it. Set before
// any pattern of a caller is compiled. The launcher sets the same flags.
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
setFlagsFromString('--regexp-backtracks-before-fallback=20000');

/** Chooses the engine of a valid pattern. A pattern means the same in each. */
export function chooseEngine(search: LinePattern): PatternEngine {
  const source = toPatternSource(search);
  if (!search.isRegex) return { kind: 'v8', source };
  const tokens = tokenize(source);
  const isSmall = tokens !== undefined && largestCount(tokens) <= MAX_COUNT;
  if (isSmall) {
    const folded = source.flags.includes('i') ? foldCase(source, tokens) : source;
    if (folded && isLinear(folded)) return { kind: 'v8', source: folded };
  }
  if (!mayBacktrack(search)) return { kind: 'v8', source };
  return isSmall ? { kind: 're2', expression: toRe2(source, tokens) } : { kind: 'backtracking', source };
}

/** Whether V8's linear engine takes an expression. */
function isLinear({ source, flags }: PatternSource): boolean {
  try {
    new RegExp(source, `${flags}l`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes an expression that ignores case as one that does not, which V8's linear engine can run. Exact, and therefore only
 * for ASCII: without `u`, JavaScript never equates an ASCII letter with another character.
 */
function foldCase({ flags }: PatternSource, tokens: readonly PatternToken[]): PatternSource | undefined {
  if (flags.includes('u')) return undefined;
  let source = '';
  for (const token of tokens) {
    if (token.kind === 'character') {
      if (token.code > 127) return undefined;
      const items = bothCases([token.code, token.code]);
      source += items.length > 1 ? setSource({ negated: false, items }, hex4) : hex4(token.code);
    } else if (token.kind === 'set') {
      if (token.items.some((item) => typeof item !== 'string' && item[1] > 127)) return undefined;
      const items = token.items.flatMap((item) => (typeof item === 'string' ? [item] : bothCases(item)));
      source += setSource({ negated: token.negated, items }, hex4);
    } else source += plainSource(token);
  }
  return { source, flags: flags.replace('i', '') };
}

/** A range of ASCII characters and the other case of its letters. */
function bothCases([from, to]: readonly [number, number]): SetItem[] {
  const items: SetItem[] = [[from, to]];
  const addShifted = (low: number, high: number, shift: number) => {
    const [start, end] = [Math.max(from, low), Math.min(to, high)];
    if (start <= end) items.push([start + shift, end + shift]);
  };
  addShifted(65, 90, 32);
  addShifted(97, 122, -32);
  return items;
}

function toRe2({ flags }: PatternSource, tokens: readonly PatternToken[]): string {
  const parts = tokens.map((token) => {
    if (token.kind === 'character') return hexBraced(token.code);
    if (token.kind === 'any')
      return flags.includes('s') ? '(?s:.)' : setSource({ negated: true, items: LINE_ENDS }, hexBraced);
    if (token.kind !== 'set') return plainSource(token);
    return setSource({ negated: token.negated, items: token.items.flatMap(widened) }, hexBraced);
  });
  return (flags.includes('i') ? '(?i)' : '') + parts.join('');
}

/** `\s` and `\S` as ranges; every other item means the same in RE2. */
function widened(item: SetItem): readonly SetItem[] {
  if (item === '\\s') return SPACES;
  if (item !== '\\S') return [item];
  const gaps: SetItem[] = [];
  let next = 0;
  for (const [from, to] of SPACES as readonly (readonly [number, number])[]) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  return [...gaps, [next, 0x10ffff]];
}

/** The source of a token that is the same in both languages. Groups need not capture. */
function plainSource(token: PatternToken): string {
  if (token.kind === 'open') return '(?:';
  if (token.kind === 'close') return ')';
  if (token.kind === 'or') return '|';
  return token.kind === 'any' ? '.' : (token as { source: string }).source;
}

function setSource(
  { negated, items }: { negated: boolean; items: readonly SetItem[] },
  character: (code: number) => string,
): string {
  const body = items.map((item) => {
    if (typeof item === 'string') return item;
    return item[0] === item[1] ? character(item[0]) : `${character(item[0])}-${character(item[1])}`;
  });
  return `[${negated ? '^' : ''}${body.join('')}]`;
}

const isPlain = (code: number) => /[A-Za-z0-9 ]/.test(String.fromCharCode(code));
const hex4 = (code: number) => (isPlain(code) ? String.fromCharCode(code) : `\\u${code.toString(16).padStart(4, '0')}`);
const hexBraced = (code: number) => (isPlain(code) ? String.fromCharCode(code) : `\\x{${code.toString(16)}}`);
