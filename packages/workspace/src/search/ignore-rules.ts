import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { O_NOFOLLOW } from '../resolve/native.ts';

/** Ignore rules of one directory level, with those of the levels above. */
export interface IgnoreRules {
  /** Whether an entry is ignored. `path` is below the workspace, with `/`. */
  ignores(path: string, name: string, isDirectory: boolean): boolean;
}

const MAX_IGNORE_BYTES = 256 * 1024;

interface Rule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** Matched against the bare name, or against the path below the rule file. */
  readonly onName: boolean;
  /** The common ending of everything it matches: most names fail this test, which is far cheaper than the pattern. */
  readonly ending: string;
  readonly test: (text: string) => boolean;
}

/** Rules of one file, indexed so that the common forms (`node_modules`, `*.log`) cost one look-up. */
class Level implements IgnoreRules {
  private readonly base: string;
  private readonly above: Level | undefined;
  private readonly rules: readonly Rule[];
  private readonly quick: { names: ReadonlyMap<string, Rule>; suffixes: ReadonlyMap<string, Rule> } | undefined;

  constructor(base: string, above: Level | undefined, parsed: ParsedRules) {
    this.base = base;
    this.above = above;
    this.rules = parsed.rules;
    this.quick = parsed.quick;
  }

  ignores(path: string, name: string, isDirectory: boolean): boolean {
    return this.verdict(path, name, isDirectory) ?? this.above?.ignores(path, name, isDirectory) ?? false;
  }

  /** The last rule that matches decides, as gitignore(5) says. */
  private verdict(path: string, name: string, isDirectory: boolean): boolean | undefined {
    if (this.quick) {
      const byName = this.quick.names.get(name);
      if (byName && (isDirectory || !byName.directoryOnly)) return true;
      const dot = name.lastIndexOf('.');
      const bySuffix = dot === -1 ? undefined : this.quick.suffixes.get(name.slice(dot));
      if (bySuffix && (isDirectory || !bySuffix.directoryOnly)) return true;
    }
    if (this.rules.length === 0) return undefined;
    let below: string | undefined;
    for (let i = this.rules.length - 1; i >= 0; i--) {
      const rule = this.rules[i] as Rule;
      if ((rule.directoryOnly && !isDirectory) || !name.endsWith(rule.ending)) continue;
      if (!rule.onName) below ??= this.base === '' ? path : path.slice(this.base.length + 1);
      if (rule.test(below === undefined || rule.onName ? name : below)) return !rule.negated;
    }
    return undefined;
  }
}

interface ParsedRules {
  readonly rules: readonly Rule[];
  readonly quick: { names: Map<string, Rule>; suffixes: Map<string, Rule> } | undefined;
}

/** Adds the rules of one ignore file's text to those above. `base` is its directory, below the workspace. */
export function addRules(above: IgnoreRules | undefined, base: string, text: string): IgnoreRules | undefined {
  const parsed = parseRules(text);
  if (parsed.rules.length === 0 && !parsed.quick) return above;
  return new Level(base, above as Level | undefined, parsed);
}

/** Reads `.gitignore` in a held directory, without following a link; `undefined` when there is none to read. */
export function readIgnoreFile(directoryAt: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(`${directoryAt}/.gitignore`, constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_IGNORE_BYTES) return undefined;
    const buffer = Buffer.allocUnsafe(stat.size);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, stat.size, 0));
  } finally {
    closeSync(fd);
  }
}

function parseRules(text: string): ParsedRules {
  const rules: Rule[] = [];
  const names = new Map<string, Rule>();
  const suffixes = new Map<string, Rule>();
  // A negation can only be judged in order, so a file that has one is judged rule by rule.
  const ordered = /^!/m.test(text);
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const rule = parseRule(line.replace(/\r$/, ''));
    if (!rule) continue;
    const literal = ordered ? undefined : quickForm(line.replace(/\r$/, ''));
    if (literal?.kind === 'name') keepWidest(names, literal.text, rule);
    else if (literal?.kind === 'suffix') keepWidest(suffixes, literal.text, rule);
    else rules.push(rule);
  }
  return { rules, quick: names.size + suffixes.size > 0 ? { names, suffixes } : undefined };
}

/** `logs/` and `logs` together mean `logs`. */
function keepWidest(map: Map<string, Rule>, key: string, rule: Rule): void {
  if (map.get(key)?.directoryOnly !== false) map.set(key, rule);
}

function quickForm(line: string): { kind: 'name' | 'suffix'; text: string } | undefined {
  const body = withoutTrailingSpaces(line).replace(/\/$/, '');
  if (/^[\w.@-]+$/.test(body)) return { kind: 'name', text: body };
  if (/^\*\.[\w-]+$/.test(body)) return { kind: 'suffix', text: body.slice(1) };
  return undefined;
}

/** One line of gitignore(5), or `undefined` for a comment or a blank. */
function parseRule(line: string): Rule | undefined {
  let body = withoutTrailingSpaces(line);
  if (body === '' || body.startsWith('#')) return undefined;
  const negated = body.startsWith('!');
  if (negated) body = body.slice(1);
  const directoryOnly = body.endsWith('/');
  if (directoryOnly) body = body.slice(0, -1);
  const onName = !body.includes('/');
  if (body.startsWith('/')) body = body.slice(1);
  if (body === '') return undefined;
  // Where one character is counted, git counts bytes.
  const inBytes = /[?[]/.test(body);
  const regexp = toRegExp(inBytes ? asBytes(body) : body);
  return (
    regexp && {
      negated,
      directoryOnly,
      onName,
      // An ending must not contain a bracket's `]` or an escaped character.
      ending: /[^*?[\]\\/]*$/.exec(body)?.[0] ?? '',
      test: inBytes ? (text) => regexp.test(asBytes(text)) : (text) => regexp.test(text),
    }
  );
}

/** One character for each byte of the UTF-8 form. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Spaces at the end do not count, unless a backslash quotes them. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') end = Math.min(++i + 1, line.length);
    else if (line[i] !== ' ') end = i + 1;
  }
  return line.slice(0, end);
}

/** `undefined` for what git takes for no pattern: a bracket without its partner, a backslash at the end. */
function toRegExp(body: string): RegExp | undefined {
  let source = '';
  for (let i = 0; i < body.length; i++) {
    const char = body[i] as string;
    if (char === '\\') {
      if (++i === body.length) return undefined;
      source += escape(body[i] as string);
    } else if (char === '*') {
      const start = i;
      while (body[i + 1] === '*') i++;
      const next = body[i + 1];
      // Two or more as a whole component are any number of components.
      const isWhole = i > start && (start === 0 || body[start - 1] === '/') && (next === undefined || next === '/');
      if (isWhole && next === '/') {
        source += '(?:[^/]+/)*';
        i++;
      } else source += isWhole ? '.+' : '[^/]*';
    } else if (char === '?') source += '[^/]';
    else if (char === '[') {
      const set = characterSet(body, i);
      if (!set) return undefined;
      source += set.source;
      i = set.end;
    } else source += escape(char);
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return undefined;
  }
}

/** POSIX classes as git's own matcher has them: ASCII only. */
const CLASSES: Partial<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

/** `[a-z]`, `[!a]`, `[^a]`, `[]a]`, `[[:digit:]]`, with `\\` quoting one character. */
function characterSet(part: string, start: number): { source: string; end: number } | undefined {
  let i = start + 1;
  const negated = part[i] === '!' || part[i] === '^';
  if (negated) i++;
  let body = '';
  const take = (): string | undefined => (part[i] === '\\' ? part[++i] : part[i]);
  for (let first = true; ; first = false, i++) {
    if (part[i] === undefined) return undefined;
    if (part[i] === ']' && !first) break;
    const named = /^\[:([a-z]+):\]/.exec(part.slice(i));
    if (named) {
      const members = CLASSES[named[1] as string];
      if (members === undefined) return undefined;
      body += members;
      i += named[0].length - 1;
      continue;
    }
    const low = take();
    if (low === undefined) return undefined;
    if (part[i + 1] !== '-' || part[i + 2] === undefined || part[i + 2] === ']') {
      body += inSet(low);
      continue;
    }
    i += 2;
    const high = take();
    if (high === undefined) return undefined;
    // A range the wrong way round holds nothing, but its first character was taken by itself before.
    body += low <= high ? `${inSet(low)}-${inSet(high)}` : inSet(low);
  }
  return { source: `(?!/)[${negated ? '^' : ''}${body}]`, end: i };
}

function inSet(char: string): string {
  return char.replace(/[\\\]^[-]/, '\\$&');
}

function escape(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
