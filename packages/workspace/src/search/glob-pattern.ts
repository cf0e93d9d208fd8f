/** A glob compiled for one walk: where to start, how deep to go, and what matches. */
export interface GlobPattern {
  /** Leading components without wildcards: nothing outside them can match. */
  readonly prefix: readonly string[];
  /** Deepest level that can match, below the start of the walk; infinite with `**`. */
  readonly maxDepth: number;
  /** Whether a path below the start, with `/`, matches. */
  readonly matches: (path: string) => boolean;
}

/** Pattern features beyond `*`, `?`, `[…]` and `**`. */
export interface GlobOptions {
  /** `{a,b}` alternatives. */
  readonly braces?: boolean;
  /** Match at the right end of a path: `*.md` at any depth. */
  readonly rightAnchored?: boolean;
}

const MAX_ALTERNATIVES = 256;

/**
 * Compiles a glob. `*`, `?` and `[…]` stay within one component and match dot-files; `**` as a whole component is any
 * number of components. Matching is case-sensitive.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): GlobPattern {
  const alternatives = options.braces ? expandBraces(pattern) : [pattern];
  const parsed = alternatives.map((one) =>
    withoutRepeats(one.split('/').filter((part) => part !== '' && part !== '.')),
  );
  const anchored = options.rightAnchored
    ? parsed.map((parts) => (parts[0] === '**' ? parts : ['**', ...parts]))
    : parsed;
  const suffix = literalSuffix(anchored);
  // `**/name`, the usual way to ask: the directories before it need no expression.
  const isNameOnly = anchored.every((parts) => parts.length === 2 && parts[0] === '**' && parts[1] !== '**');
  const regexp = regexpOf(isNameOnly ? anchored.map((parts) => parts.slice(1)) : anchored);
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  return {
    prefix: anchored.length === 1 ? literalPrefix(anchored[0] as string[]) : [],
    maxDepth: Math.max(...anchored.map((parts) => (parts.includes('**') ? Number.POSITIVE_INFINITY : parts.length))),
    // Most names fail on their ending, which is far cheaper to see.
    matches: (path) => path.endsWith(suffix) && regexp.test(isNameOnly ? nameOf(path) : path),
  };
}

function regexpOf(alternatives: readonly (readonly string[])[]): RegExp {
  const groups = { count: 0 };
  return new RegExp(`^(?:${alternatives.map((parts) => toSource(parts, groups)).join('|')})$`, 'su');
}

/** `**` twice in a row says no more than once, and takes far longer. */
function withoutRepeats(parts: readonly string[]): string[] {
  return parts.filter((part, i) => part !== '**' || parts[i - 1] !== '**');
}

/** Whether a pattern asks for a directory above its start. */
export function climbs(pattern: string): boolean {
  return pattern.split(/[\\/]/).includes('..');
}

/** Groups made so far, for back references; the number of one is taken before its inside is written. */
interface Groups {
  count: number;
}

function toSource(parts: readonly string[], groups: Groups): string {
  const runs = splitAt(parts, '**');
  const [first = [], ...later] = runs;
  const endsOpen = later.at(-1)?.length === 0;
  const components = (run: readonly string[]) => run.map((part) => componentSource(part, groups)).join('/');
  if (later.length === 0) return components(first);
  const middle = later
    .slice(0, -1)
    .map((run) => gap('(?:[^/]+/)', () => `${components(run)}/`, later.length > 2, groups));
  const last = endsOpen ? '.+' : `(?:[^/]+/)*${components(later.at(-1) as string[])}`;
  return (first.length > 0 ? `${components(first)}/` : '') + middle.join('') + last;
}

function componentSource(part: string, groups: Groups): string {
  const [first = '', ...later] = chunksOf(part);
  if (later.length === 0) return first;
  const middle = later.slice(0, -1).map((chunk) => gap('[^/]', () => chunk, later.length > 2, groups));
  return `${first}${middle.join('')}[^/]*${later.at(-1)}`;
}

/**
 * Any number of `unit`, then `what`. With several of them in a row, a plain one takes time in a power of their number
 * (`*a*a*a*b*` on a long name: minutes), so there the first place that fits is kept: what follows is again any number of
 * `unit`, and no later place could serve it better. A lookahead with a back reference is never tried twice.
 */
function gap(unit: string, what: () => string, keepFirst: boolean, groups: Groups): string {
  if (!keepFirst) return `${unit}*${what()}`;
  const number = ++groups.count;
  return `(?=(${unit}*?${what()}))(?:\\${number})`;
}

function splitAt(parts: readonly string[], separator: string): string[][] {
  const runs: string[][] = [[]];
  for (const part of parts) {
    if (part === separator) runs.push([]);
    else runs.at(-1)?.push(part);
  }
  return runs;
}

/** The sources of the parts between the stars of one component. */
function chunksOf(part: string): string[] {
  const chunks = [''];
  const add = (source: string) => chunks.push((chunks.pop() ?? '') + source);
  for (let i = 0; i < part.length; i++) {
    const char = part[i] as string;
    if (char === '*') {
      while (part[i + 1] === '*') i++;
      chunks.push('');
    } else if (char === '?') add('[^/]');
    else if (char === '[') {
      const set = characterSet(part, i);
      add(set?.source ?? '\\[');
      i = set?.end ?? i;
    } else add(char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  }
  return chunks;
}

/** `[abc]`, `[a-z]`, `[!a]` (and no `[^a]`), as in Python; an unclosed bracket is a plain character. */
function characterSet(part: string, start: number): { source: string; end: number } | undefined {
  let i = start + 1;
  const negated = part[i] === '!';
  if (negated) i++;
  const end = part.indexOf(']', part[i] === ']' ? i + 1 : i);
  if (end === -1) return undefined;
  const body = part.slice(i, end).replace(/[\\\]^]/g, '\\$&');
  const source = negated ? `[^/${body}]` : `(?!/)[${body}]`;
  try {
    new RegExp(source, 'u');
  } catch {
    return undefined;
  }
  return { source, end };
}

function literalPrefix(parts: readonly string[]): string[] {
  const prefix: string[] = [];
  for (const part of parts.slice(0, -1)) {
    if (/[*?[]/.test(part)) break;
    prefix.push(part);
  }
  return prefix;
}

function literalSuffix(alternatives: readonly (readonly string[])[]): string {
  if (alternatives.length !== 1) return '';
  const last = alternatives[0]?.at(-1) ?? '';
  return /[^*?[\]]*$/.exec(last)?.[0] ?? '';
}

/** `a{b,c}d` → `abd`, `acd`; nested ones too. A brace without a comma or a partner is plain text. */
export function expandBraces(pattern: string): string[] {
  let done: string[] = [''];
  for (let i = 0; i < pattern.length; i++) {
    const group = pattern[i] === '{' ? braceGroup(pattern, i) : undefined;
    const heads = group ? group.options.flatMap(expandBraces) : [pattern[i] as string];
    done = done.flatMap((head) => heads.map((tail) => head + tail)).slice(0, MAX_ALTERNATIVES);
    if (group) i = group.end;
  }
  return done;
}

function braceGroup(pattern: string, start: number): { options: string[]; end: number } | undefined {
  const options: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let i = start; i < pattern.length; i++) {
    if (pattern[i] === '{') depth++;
    else if (pattern[i] === ',' && depth === 1) {
      options.push(pattern.slice(from, i));
      from = i + 1;
    } else if (pattern[i] === '}' && --depth === 0) {
      options.push(pattern.slice(from, i));
      return options.length > 1 ? { options, end: i } : undefined;
    }
  }
  return undefined;
}
