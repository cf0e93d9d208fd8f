import { WorkspaceError } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** The pattern of a content search. */
export interface LinePattern {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseInsensitive: boolean;
}

/** A pattern ready to run over files. */
export interface LineMatcher {
  /** Bytes every matching file must contain; a file without them needs no decoding. */
  readonly required: Buffer | undefined;
  /** Whether one line matches. */
  readonly matchesLine: (line: string) => boolean;
  /** Runs over a whole file's text with `g` and `m`; a match may wrongly span lines. Absent: go line by line. */
  readonly overText: RegExp | undefined;
  readonly isRegex: boolean;
}

/**
 * Matches an innermost group that repeats or branches inside and is itself repeated. The contract of the shared file
 * tools defines this rule and its text. V8's linear fallback and the search deadline bound the patterns it misses.
 */
const GROUP = /\(([^()]*)\)[+*]/g;

/** @throws WorkspaceError `invalid` with the contract's texts */
export function checkPattern(search: LinePattern, limits: Limits): void {
  if (search.pattern === '') throw new WorkspaceError('invalid', 'Pattern must not be empty');
  if (!search.isRegex) return;
  if (search.pattern.length > limits.grepPatternChars) {
    throw new WorkspaceError(
      'invalid',
      `Regex pattern exceeds ${limits.grepPatternChars} chars; shorten it or use literal mode (is_regex=False).`,
    );
  }
  if (nestsQuantifiers(search.pattern)) {
    throw new WorkspaceError(
      'invalid',
      'Regex pattern rejected: nested unbounded quantifier (catastrophic-backtracking risk). Rewrite without an outer ' +
        '+/* on a group that already contains +, *, {n,}, or |, or use literal mode (is_regex=False).',
    );
  }
  try {
    toRegExp(search, '');
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : 'unknown reason';
    throw new WorkspaceError('invalid', `Invalid regex pattern: ${reason}`);
  }
}

/** The contract's heuristic for catastrophic backtracking. */
export function nestsQuantifiers(pattern: string): boolean {
  for (const group of blankLiterals(pattern).matchAll(GROUP)) {
    if (/[+*|]|\{\d+,\d*\}/.test(group[1] as string)) return true;
  }
  return false;
}

/** Blanks escapes and character classes, which are text, without moving the rest. */
function blankLiterals(pattern: string): string {
  return pattern.replace(/\\./gs, '__').replace(/\[[^\]]*\]/g, (set) => '_'.repeat(set.length));
}

/** A single counted repetition with a larger bound costs V8's linear engine as many states. */
const MAX_COUNT = 50;

/**
 * Whether a search may take V8 very long by the form of its pattern: look-around and back-references, which its linear
 * engine does not run; a repeated group that repeats or branches inside; a large counted repetition. Errs on either side.
 */
export function mayBacktrack({ pattern, isRegex }: LinePattern): boolean {
  if (!isRegex) return false;
  if (/\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=/.test(pattern)) return true;
  const bare = blankLiterals(pattern);
  for (const [, least, most] of bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    if (Math.max(Number(least), Number(most ?? 0)) > MAX_COUNT) return true;
  const groups = [false];
  for (let i = 0; i < bare.length; i++) {
    const rest = bare.slice(i + 1);
    if (bare[i] === '(') groups.push(false);
    else if (bare[i] === ')' && groups.length > 1) {
      const varies = groups.pop() as boolean;
      if (varies && /^(?:[*+]|\{\d)/.test(rest)) return true;
      if (varies) groups[groups.length - 1] = true;
    } else if (/^(?:[*+|]|\{\d)/.test(bare.slice(i))) groups[groups.length - 1] = true;
  }
  return false;
}

/** Compiles a checked pattern. */
export function createMatcher(search: LinePattern): LineMatcher {
  if (!search.isRegex && !search.caseInsensitive) {
    return {
      required: Buffer.from(search.pattern, 'utf8'),
      matchesLine: (line) => line.includes(search.pattern),
      overText: undefined,
      isRegex: false,
    };
  }
  const line = toRegExp(search, '');
  const plain = search.isRegex && !search.caseInsensitive && !/^\(\?[is]+\)/.test(search.pattern);
  const literal = plain ? requiredLiteral(search.pattern) : undefined;
  return {
    required: literal === undefined ? undefined : Buffer.from(literal, 'utf8'),
    matchesLine: (text) => line.test(text),
    // Looking around may look across a line end, so such a pattern is only ever shown single lines.
    overText: /\(\?<?[=!]/.test(search.pattern) ? undefined : toRegExp(search, 'gm'),
    isRegex: search.isRegex,
  };
}

function toRegExp(search: LinePattern, extra: string): RegExp {
  let source = search.isRegex ? search.pattern : search.pattern.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  let flags = extra + (search.caseInsensitive ? 'i' : '');
  if (search.isRegex) {
    // Spellings of Python and ripgrep that JavaScript writes differently.
    const inline = /^\(\?([is]+)\)/.exec(source);
    if (inline) {
      source = source.slice(inline[0].length);
      for (const flag of inline[1] as string) if (!flags.includes(flag)) flags += flag;
    }
    let needsUnicode = false;
    // Escapes are taken whole, so that the second half of an escaped backslash is never read as the start of one.
    source = source.replace(/\\[\s\S]\{?|\(\?P<|\(\?P=(\w+)\)/g, (token, name?: string) => {
      if (token === '(?P<') return '(?<';
      if (name !== undefined) return `\\k<${name}>`;
      if (token.startsWith('\\A')) return `^${token.slice(2)}`;
      if (token.startsWith('\\z') || token.startsWith('\\Z')) return `$${token.slice(2)}`;
      if (/^\\[pPu]\{$/.test(token)) needsUnicode = true;
      return token;
    });
    if (needsUnicode) flags += 'u';
  }
  return new RegExp(source, flags);
}

/**
 * The longest run of plain characters that every match of the pattern must contain, or `undefined`. Conservative: it
 * gives up on anything that makes a part optional or alternative at the top level.
 */
export function requiredLiteral(pattern: string): string | undefined {
  let best = '';
  let run = '';
  const flush = () => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '|') return undefined;
    if (char === '(' || char === '[') {
      flush();
      i = endOfGroup(pattern, i);
      if (i === -1) return undefined;
    } else if (char === '\\') {
      const next = pattern[++i] ?? '';
      if (/[A-Za-z0-9]/.test(next)) {
        flush();
        // An escape that takes further characters: what follows is not plain text.
        if (/[xucpPk0-9]/.test(next)) return undefined;
      } else run += next;
    } else if (char === '*' || char === '?' || char === '{') {
      // The character before may not be there at all.
      run = run.slice(0, -1);
      flush();
      if (char === '{') {
        const end = pattern.indexOf('}', i);
        if (end === -1) return undefined;
        i = end;
      }
    } else if (char === '+') flush();
    else if (char === '.' || char === '^' || char === '$') flush();
    else run += char;
  }
  flush();
  // Half of a surrogate pair, left by a quantifier, is not valid text to search for.
  return best.length > 1 && !/[\ud800-\udfff]/.test(best) ? best : undefined;
}

function endOfGroup(pattern: string, start: number): number {
  if (pattern[start] === '[') {
    for (let i = start + (pattern[start + 1] === ']' ? 2 : 1); i < pattern.length; i++) {
      if (pattern[i] === '\\') i++;
      else if (pattern[i] === ']') return i;
    }
    return -1;
  }
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '[') {
      i = endOfGroup(pattern, i);
      if (i === -1) return -1;
    } else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i;
  }
  return -1;
}
