import { WorkspaceError } from './errors.ts';
import { foldName, quoted } from './names.ts';

const LITERALS = new Set(['.env', '.netrc', '.pgpass', '.htpasswd', 'authorized_keys']);
const PREFIXES = ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'credentials'];
const SUFFIXES = ['.pem', '.key', '.pfx', '.p12'];
const DIRECTORIES = new Set(['.ssh', '.aws', '.gnupg', '.docker', '.kube', '.git']);

const FIRST = codesOf([...LITERALS, ...PREFIXES, ...DIRECTORIES].map((rule) => rule.charAt(0)));
const LAST = codesOf(SUFFIXES.map((rule) => rule.charAt(rule.length - 1)));

function codesOf(chars: readonly string[]): ReadonlySet<number> {
  return new Set(chars.flatMap((char) => [char.charCodeAt(0), char.toUpperCase().charCodeAt(0)]));
}

/** Whether an entry of this name is protected: as a whole directory, or as a credential file. Case is ignored. */
export function deniedName(name: string): 'directory' | 'credential' | undefined {
  // Walks ask this of every entry: a name that neither starts nor ends like a rule is let through unread.
  if (!FIRST.has(name.charCodeAt(0)) && !LAST.has(name.charCodeAt(name.length - 1))) return undefined;
  const folded = foldName(name);
  if (DIRECTORIES.has(folded)) return 'directory';
  if (LITERALS.has(folded)) return 'credential';
  if (SUFFIXES.some((suffix) => folded.endsWith(suffix))) return 'credential';
  if (PREFIXES.some((prefix) => folded.startsWith(prefix))) return 'credential';
  return undefined;
}

/**
 * The credential deny-list, on names alone and before any I/O. It keeps secrets out of a model's context; it is a
 * filter, not the boundary: a secret in an ordinary file is not recognised.
 *
 * @param path as the caller wrote it, for the message
 * @param parts the path's components, relative to the workspace
 * @throws WorkspaceError `denied`
 */
export function checkDenyList(path: string, parts: readonly string[]): void {
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
  for (const part of parts) {
    if (DIRECTORIES.has(foldName(part))) {
      throw new WorkspaceError(
        'denied',
        `Access to ${quoted(path)} is denied: path contains protected directory ${quoted(foldName(part))}`,
      );
    }
  }
}
