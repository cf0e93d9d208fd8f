import { WorkspaceError } from './errors.ts';
import { foldName, quoted } from './names.ts';

const LITERALS = new Set(['.env', '.netrc', '.pgpass', '.htpasswd', 'authorized_keys']);
const PREFIXES = ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'credentials'];
const SUFFIXES = ['.pem', '.key', '.pfx', '.p12'];
const DIRECTORIES = new Set(['.ssh', '.aws', '.gnupg', '.docker', '.kube', '.git']);

/**
 * What NTFS makes of the long ones: `.git` is `GIT~1` too, and `authorized_keys` is `AUTHOR~1`. Refused on every host,
 * because a directory may be shared with one that has such names.
 */
const SHORT_STEMS = new Map<string, 'directory' | 'credential'>([
  ...[...LITERALS, ...PREFIXES].map((rule) => [shortStem(rule), 'credential'] as const),
  ...[...DIRECTORIES].map((rule) => [shortStem(rule), 'directory'] as const),
]);

function shortStem(rule: string): string {
  return rule.replaceAll('.', '').slice(0, 6);
}

const FIRST = codesOf([...LITERALS, ...PREFIXES, ...DIRECTORIES].map((rule) => rule.charAt(0)));
const LAST = codesOf(SUFFIXES.map((rule) => rule.charAt(rule.length - 1)));

function codesOf(chars: readonly string[]): ReadonlySet<number> {
  return new Set(chars.flatMap((char) => [char.charCodeAt(0), char.toUpperCase().charCodeAt(0)]));
}

/**
 * Whether protected names are hidden from the caller: `false`, the built-in names, or those and an operator's names.
 */
export type DenyList = boolean | RegExp;

/**
 * The deny-list with an operator's own names, of files and of directories: `*` is any run of characters, `?` any one.
 * Two `*` a name at most, so that no name an agent chooses takes long to judge.
 *
 * @throws WorkspaceError `invalid` for what is no such name
 */
export function denyListWith(names: readonly string[]): DenyList {
  if (names.length === 0) return true;
  const rules = names.map((name) => {
    if (!/^(?!!|\.\.?$)[^/\\[\]{}\0]+$/.test(name) || name.split('*').length > 3)
      throw new WorkspaceError(
        'invalid',
        `Not a name to deny: ${quoted(name)}. Give the name of a file or directory, without its path; * stands for any characters (twice at most), ? for one`,
      );
    return folded(name)
      .replace(/[.+^$()|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
  });
  return new RegExp(`^(?!\\.\\.?$)(?:${rules.join('|')})$`, 'su');
}

/** Some file systems take a letter and its accent, written as one or as two, for the same. */
function folded(name: string): string {
  return foldName(name).normalize('NFC');
}

function isAdded(name: string, list: DenyList): boolean {
  return typeof list === 'object' && list.test(folded(name));
}

/** Whether an entry of this name is protected: as a whole directory, or as a credential file. Case is ignored. */
export function deniedName(name: string, list: DenyList = true): 'directory' | 'credential' | undefined {
  if (isAdded(name, list)) return 'credential';
  if (name.includes(':')) return deniedName(withoutStream(name), list);
  const short = name.includes('~') ? kindOfShortName(name) : undefined;
  if (short) return short;
  // Walks ask this of every entry: a name that neither starts nor ends like a rule is let through unread.
  if (!FIRST.has(name.charCodeAt(0)) && !LAST.has(name.charCodeAt(name.length - 1))) return undefined;
  const plain = foldName(name);
  if (DIRECTORIES.has(plain)) return 'directory';
  if (LITERALS.has(plain)) return 'credential';
  if (SUFFIXES.some((suffix) => plain.endsWith(suffix))) return 'credential';
  if (PREFIXES.some((prefix) => plain.startsWith(prefix))) return 'credential';
  return undefined;
}

/** On NTFS a colon begins the name of a stream: `.git::$INDEX_ALLOCATION` is `.git`. */
function withoutStream(name: string): string {
  return name.slice(0, name.indexOf(':'));
}

function kindOfShortName(name: string): 'directory' | 'credential' | undefined {
  const stem = /^([^~.]+)~\d+(?:\.|$)/.exec(foldName(name))?.[1];
  return stem === undefined ? undefined : SHORT_STEMS.get(stem);
}

/**
 * The credential deny-list, on names alone and before any I/O. It keeps secrets out of a model's context; it is a
 * filter, not the boundary: a secret in an ordinary file is not recognised.
 *
 * @param path as the caller wrote it, for the message
 * @param parts the path's components, relative to the workspace
 * @throws WorkspaceError `denied`
 */
export function checkDenyList(path: string, parts: readonly string[], list: DenyList = true): void {
  const last = parts.at(-1);
  if (last === undefined) return;
  const kind = deniedName(last);
  if (kind === 'directory') {
    throw new WorkspaceError('denied', `Access to ${quoted(last)} is denied: name matches a protected directory`);
  }
  if (kind === 'credential') {
    throw new WorkspaceError(
      'denied',
      `Access to ${quoted(last)} is denied: filename matches a protected credential pattern`,
    );
  }
  if (typeof list === 'object' && deniedName(last, list)) {
    throw new WorkspaceError('denied', `Access to ${quoted(last)} is denied: a rule of this server denies this name`);
  }
  for (const part of parts) {
    const name = part.includes(':') ? withoutStream(part) : part;
    if (deniedName(name) === 'directory') {
      throw new WorkspaceError(
        'denied',
        `Access to ${quoted(path)} is denied: path contains protected directory ${quoted(foldName(part))}`,
      );
    }
    if (isAdded(part, list) || isAdded(name, list)) {
      throw new WorkspaceError(
        'denied',
        `Access to ${quoted(path)} is denied: a rule of this server denies ${quoted(part)}`,
      );
    }
  }
}
