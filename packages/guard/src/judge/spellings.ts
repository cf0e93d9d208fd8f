import { posix } from 'node:path';
import { plainText } from './words.ts';

/** One reading of a written path: what some client makes of it. */
export interface Reading {
  /** The path to judge. */
  readonly path: string;
  /** What a message may show: the same, without anything of the host in it. */
  readonly shown: string;
  /**
   * Why nobody can say where it leads: a variable that some client fills in, another user's home, a scheme, a network
   * share. Such a reading is outside.
   */
  readonly unresolvable?: string;
  /** Only dangerous where such a top directory exists: `@/etc/x` is `/etc/x` for some, `@/components/x` an alias. */
  readonly isAlias?: true;
}

/** What readings are made with. */
export interface SpellingContext {
  /** The home directory that `~` means; unknown when the agent is on another host. */
  readonly home?: string | undefined;
  /** Paths by Windows' rules lead somewhere here: drive letters are left to the place. */
  readonly isWindows?: boolean;
}

/** Looks a path is ordinary and has one reading: nearly all are. */
const ORDINARY = /^(?!~)(?!\/\/)[\p{L}\p{N}_\-/.[\]()+=, ]+$/u;
/** Two paths in one text: what follows the mark begins as no name does. */
const SEVERAL = /[,;|\n][ \t]*(?:[/~\\]|\.\.(?:[/\\]|$)|[A-Za-z]:[/\\])/;
/** Slashes and dots that are none, but that somebody may fold into one. */
const SLASHES = /[\u2044\u2215\u29f8\u2571\u1735\u2afd]/g;
const BACKSLASHES = /[\u2216\u29f5\u29f9\u2572]/g;
const VARIABLE = [
  /\$\{/,
  /\$\(/,
  /\$env:/i,
  /\$(?=[A-Z0-9_]*[A-Z])[A-Z_][A-Z0-9_]*(?!\w)/,
  /%(?![0-9a-f]{2}%)[a-z_][a-z0-9_()]*%/i,
  /%~[a-z]*\d/i,
  // Delayed expansion of cmd, and templates: a name in capitals is a variable, `{{cookiecutter.name}}` may be a directory.
  /![A-Z_][A-Z0-9_]*!/,
  /\{\{-?\s*(?:\$?env(?:ironment)?\.\w+|(?:\w+\.)?(?:[A-Z][A-Z0-9_]+|home|pwd|tmp|temp|homedir|userprofile))\s*-?\}\}/,
  /^\$(?:home|pwd|oldpwd|userprofile|appdata|localappdata|temp|tmp|tmpdir|pshome|psscriptroot|profile|windir|systemroot)(?=[/\\]|$)/i,
  /^`[^`]*[^`\w./-][^`]*`$/,
];
const SCHEME = /^([a-z][a-z0-9+.-]+):(?=\/|\\)/i;

/**
 * Every reading of a written path that is known of some client: blanks and quotes stripped, `@` stripped, escapes
 * decoded, percent decoded once and twice, Unicode folded, `file:` URLs, backslashes as separators, Windows' trailing
 * dots, `~` filled in, `..` taken away by name. Pure. All of them must lie inside for a path to be inside; one that is
 * decoded for nothing lies inside too, and does no harm.
 */
export function readingsOf(written: string, context: SpellingContext = {}): readonly Reading[] {
  if (ORDINARY.test(written) && !SEVERAL.test(written) && !/\.\.|[. ](?:\/|$)|^ |[^\x20-\x7e]/.test(written))
    return [{ path: written, shown: written }];
  const texts = new Set<string>([written]);
  const alias = new Set<string>();
  // Two rounds: a quote may hide a percent sign, which may hide a quote.
  for (let round = 0; round < 3; round++) {
    const before = texts.size;
    const known = [...texts];
    for (const text of known) {
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
    // `@/../x` climbs whether the alias is one or not.
  }
  return [...readings.values()];
}

/** The readings of a path that a shell has read already: nothing is decoded again. */
export function shellReadingsOf(path: string, context: SpellingContext = {}): readonly Reading[] {
  return [...places(path, context)];
}

/** One step of leniency each. */
function decodings(text: string): string[] {
  const found: string[] = [];
  const add = (next: string): void => {
    if (next !== text && next !== '') found.push(next);
  };
  add(text.trim());
  if (SEVERAL.test(text) && text.length <= 8_192) for (const part of text.split(/[,;|\n]/, 200)) add(part.trim());
  const quoted = /^(["'`\u201c\u2018\u00ab<])([\s\S]*)(["'`\u201d\u2019\u00bb>])$/.exec(text);
  if (quoted) add(quoted[2] as string);
  add(text.replace(/^["'`]+|["'`]+$/g, ''));
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

/** What one text names as a path. */
function* places(text: string, { home, isWindows = false }: SpellingContext): Generator<Reading> {
  const shown = text;
  const unresolvable = whyUnresolvable(text, isWindows);
  if (unresolvable !== undefined) {
    yield { path: text, shown, unresolvable };
    return;
  }
  // A file URL was read as the path in it; taken by its letters it would be a name of no meaning.
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
      const bare = part.replace(/ +$/, '');
      return bare === '.' || bare === '..' ? bare : bare.replace(/[. ]+$/, '') || (bare === '' ? '' : '.');
    })
    .join('/');
  yield stripped;
  // Clients that resolve by name take `link/..` away before the disk is asked.
  yield posix.normalize(slashed);
  yield posix.normalize(stripped);
}

function whyUnresolvable(text: string, isWindows: boolean): string | undefined {
  if (VARIABLE.some((pattern) => pattern.test(text))) return 'a variable that is filled in later';
  if (/^~[^/\\]/.test(text) && /^~(?:[A-Za-z_][\w-]*|[+-]\d*)(?=[/\\]|$)/.test(text))
    return "somebody's home directory";
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file' && scheme.length > 1) return 'a URL';
  if (/^(?:\\\\|\/\\|\\\/)/.test(text)) return 'a network share or a device';
  if (/^\/\/[?.]\//.test(text)) return 'a device';
  if (!isWindows && /^[A-Za-z]:/.test(text)) return 'a drive of Windows';
  return undefined;
}

function percentDecoded(given: string): string {
  // Overlong forms, which lenient decoders take for a dot and a slash.
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

/** The path of a `file:` URL without its scheme: a host other than this one is a share. */
function fileUrlPath(rest: string): string {
  const host = /^\/\/([^/]*)(\/.*)?$/s.exec(rest);
  if (host === null) return rest;
  const name = host[1]?.toLowerCase();
  const path = host[2] ?? '/';
  if (name === '' || name === 'localhost' || name === '127.0.0.1')
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  return `\\\\${host[1]}${path}`;
}
