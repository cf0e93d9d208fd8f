import { posix } from 'node:path';
import { plainText } from './words.ts';

/** One reading of a written path: the path as some client interprets it. */
export interface Reading {
  /** The path to judge. */
  readonly path: string;
  /** The path for messages: the same, without facts about the host. */
  readonly shown: string;
  /**
   * Why the target cannot be determined: a variable that some client expands, another user's home directory, a scheme,
   * a network share. Such a reading is outside.
   */
  readonly unresolvable?: string;
  /**
   * Dangerous only if such a top directory exists: some clients read `@/etc/x` as `/etc/x`; `@/components/x` is an
   * import alias.
   */
  readonly isAlias?: true;
}

/** Facts about the agent's machine. */
export interface SpellingContext {
  /** The home directory for `~`; undefined if the agent is on another host. */
  readonly home?: string | undefined;
  /** Windows paths are valid here: the place resolves drive letters. */
  readonly isWindows?: boolean;
}

/** Matches an ordinary path, which has one reading. Nearly all paths are ordinary. */
const ORDINARY = /^(?!~)(?!\/\/)[\p{L}\p{N}_\-/.[\]()+=, ]+$/u;
/** Matches two paths in one text: the text after the separator begins like a path. */
const SEVERAL = /[,;|\n][ \t]*(?:[/~\\]|\.\.(?:[/\\]|$)|[A-Za-z]:[/\\])/;
/** Characters that look like a slash or a backslash and that some clients fold into one. */
const SLASHES = /[\u2044\u2215\u29f8\u2571\u1735\u2afd]/g;
const BACKSLASHES = /[\u2216\u29f5\u29f9\u2572]/g;
const VARIABLE = [
  /\$\{/,
  /\$\(/,
  /\$env:/i,
  /\$(?=[A-Z0-9_]*[A-Z])[A-Z_][A-Z0-9_]*(?!\w)/,
  /%(?![0-9a-f]{2}%)[a-z_][a-z0-9_()]*%/i,
  /%~[a-z]*\d/i,
  // Delayed expansion of cmd, and templates. A name in capitals is a variable; `{{cookiecutter.name}}` may be a
  // directory.
  /![A-Z_][A-Z0-9_]*!/,
  /\{\{-?\s*(?:\$?env(?:ironment)?\.\w+|(?:\w+\.)?(?:[A-Z][A-Z0-9_]+|home|pwd|tmp|temp|homedir|userprofile))\s*-?\}\}/,
  /^\$(?:home|pwd|oldpwd|userprofile|appdata|localappdata|temp|tmp|tmpdir|pshome|psscriptroot|profile|windir|systemroot)(?=[/\\]|$)/i,
  /^`[^`]*[^`\w./-][^`]*`$/,
];
const SCHEME = /^([a-z][a-z0-9+.-]+):(?=\/|\\)/i;

/** No system opens a longer path. */
export const MAX_PATH = 32_768;

/** The reading of a path that is too long to open. To resolve its `..` would take quadratic time. */
function tooLong(written: string): readonly Reading[] | undefined {
  if (written.length <= MAX_PATH || !written.includes('..')) return undefined;
  return [{ path: written, shown: written, unresolvable: 'more characters than a path has' }];
}

/** A client may take a list of this many paths in one text apart, or of more characters: too many to judge each. */
const MAX_LIST = { paths: 200, characters: 8_192 };

function isLongList(text: string): boolean {
  if (!SEVERAL.test(text)) return false;
  return text.length > MAX_LIST.characters || text.split(/[,;|\n]/, MAX_LIST.paths + 1).length > MAX_LIST.paths;
}

/**
 * Returns every reading of a written path that some client is known to use: blanks and quotes stripped, `@` stripped,
 * escapes decoded, percent decoded once and twice, Unicode folded, `file:` URLs, backslashes as separators, trailing
 * dots removed as on Windows, `~` expanded, `..` removed by name. Has no side effects. A path is inside only if all
 * readings are; an unnecessary reading of an ordinary path is inside too.
 */
export function readingsOf(written: string, context: SpellingContext = {}): readonly Reading[] {
  if (ORDINARY.test(written) && !SEVERAL.test(written) && !/\.\.|[. ](?:\/|$)|^ |[^\x20-\x7e]/.test(written))
    return [{ path: written, shown: written }];
  const long = tooLong(written);
  if (long !== undefined) return long;
  const texts = new Set<string>([written]);
  const alias = new Set<string>();
  // Several rounds: a quote may hide a percent sign, which may hide a quote.
  for (let round = 0; round < 3; round++) {
    const before = texts.size;
    const known = [...texts];
    for (const text of known) {
      if (isLongList(text)) return [{ path: written, shown: written, unresolvable: 'more paths than can be judged' }];
      for (const next of decodings(text)) texts.add(next);
      const bare = text.replace(/^@+/, '');
      if (bare !== text && bare !== '') (bare.startsWith('/') ? alias : texts).add(bare);
    }
    if (texts.size === before || texts.size > 200) break;
  }
  const readings = new Map<string, Reading>();
  for (const text of texts) {
    for (const reading of places(text, context)) {
      if (readings.get(reading.path)?.unresolvable === undefined) readings.set(reading.path, reading);
    }
  }
  for (const text of alias) {
    if (!readings.has(text)) readings.set(text, { path: text, shown: text, isAlias: true });
    // `@/../x` leaves the directory with or without the alias.
  }
  return [...readings.values()];
}

/** The readings of a path that a shell has already processed: nothing is decoded again. */
export function shellReadingsOf(path: string, context: SpellingContext = {}): readonly Reading[] {
  return tooLong(path) ?? [...places(path, context)];
}

/** The results of each single decoding step. */
function decodings(text: string): string[] {
  const found: string[] = [];
  const add = (next: string): void => {
    if (next !== text && next !== '') found.push(next);
  };
  add(text.trim());
  if (SEVERAL.test(text)) for (const part of text.split(/[,;|\n]/)) add(part.trim());
  const quoted = /^(["'`\u201c\u2018\u00ab<])([\s\S]*)(["'`\u201d\u2019\u00bb>])$/.exec(text);
  if (quoted) add(quoted[2] as string);
  add(text.replace(/^["'`]+|(?<!["'`])["'`]+$/g, ''));
  if (text.includes('%')) add(percentDecoded(text));
  if (text.includes('\\')) {
    add(unescaped(text));
    add(text.replace(/\\(?=[^A-Za-z0-9])/g, ''));
  }
  if (/&#?\w+;/.test(text)) add(entitiesDecoded(text));
  if (!/^[\x00-\x7f]*$/.test(text)) {
    const folded = text.replace(SLASHES, '/').replace(BACKSLASHES, '\\');
    add(plainText(folded));
    add(folded);
  }
  add(text.replace(/[\x00-\x1f\x7f]+/g, ''));
  const url = /^file:(.*)$/is.exec(text);
  if (url) {
    const rest = (url[1] as string).replace(/\\/g, '/');
    add(fileUrlPath(rest));
    add(fileUrlPath(rest.replace(/[?#].*$/s, '')));
  }
  return found;
}

/** The paths that one text may name. */
function* places(text: string, { home, isWindows = false }: SpellingContext): Generator<Reading> {
  const shown = text;
  const unresolvable = whyUnresolvable(text, isWindows);
  if (unresolvable !== undefined) {
    yield { path: text, shown, unresolvable };
    return;
  }
  // The path inside a file URL is a reading of its own; the URL as a file name has no meaning.
  if (/^file:/i.test(text)) return;
  const tilde = /^~(?=[/\\]|$)/.test(text);
  if (tilde && home === undefined) {
    yield { path: text, shown, unresolvable: 'a home directory' };
    return;
  }
  const expanded = tilde && home !== undefined ? home + text.slice(1) : text;
  for (const path of variants(expanded, isWindows)) yield { path, shown: tilde ? shown : path };
}

function* variants(text: string, isWindows: boolean): Generator<string> {
  yield text;
  const slashed = text.replace(/\\/g, '/');
  if (!isWindows) yield slashed;
  const stripped = slashed
    .split('/')
    .map((part) => {
      const bare = part.replace(/(?<! ) +$/, '');
      return bare === '.' || bare === '..' ? bare : bare.replace(/(?<![. ])[. ]+$/, '') || (bare === '' ? '' : '.');
    })
    .join('/');
  yield stripped;
  // Clients that resolve by name remove `link/..` before they ask the disk.
  yield posix.normalize(slashed);
  yield posix.normalize(stripped);
}

function whyUnresolvable(text: string, isWindows: boolean): string | undefined {
  if (VARIABLE.some((pattern) => pattern.test(text))) return 'a variable that is filled in later';
  if (/^~[^/\\]/.test(text) && /^~(?:[A-Za-z_][\w-]*|[+-]\d*)(?=[/\\]|$)/.test(text))
    return "another user's home directory";
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file' && scheme.length > 1) return 'a URL';
  if (/^(?:\\\\|\/\\|\\\/)/.test(text)) return 'a network share or a device';
  if (/^\/\/[?.]\//.test(text)) return 'a device';
  if (!isWindows && /^[A-Za-z]:/.test(text)) return 'a drive of Windows';
  return undefined;
}

function percentDecoded(given: string): string {
  // Overlong UTF-8 forms, which lenient decoders accept as a dot and a slash.
  const text = given.replace(/%c0%ae/gi, '.').replace(/%c0%af/gi, '/');
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

function unescaped(text: string): string {
  return text
    .replace(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})/gi, (all, long?: string, short?: string) => {
      const code = Number.parseInt(long ?? short ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/\\([0-3][0-7]{2})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  bsol: '\\',
  period: '.',
  nbsp: ' ',
};

function entitiesDecoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (all, dec?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      const code = dec === undefined ? Number.parseInt(hex ?? '', 16) : Number(dec);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

/** The path of a `file:` URL without its scheme. A host other than this one is a network share. */
function fileUrlPath(rest: string): string {
  const host = /^\/\/([^/]*)(\/.*)?$/s.exec(rest);
  if (host === null) return rest;
  const name = host[1]?.toLowerCase();
  const path = host[2] ?? '/';
  if (name === '' || name === 'localhost' || name === '127.0.0.1')
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  return `\\\\${host[1]}${path}`;
}
