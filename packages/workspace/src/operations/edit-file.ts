import { type Enclosure, requireWritable } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { sameFile } from '../resolve/dir.ts';
import { locate } from '../resolve/locate.ts';
import { encodedSize, encodeText, type Encoding, markSize } from '../text/encoding.ts';
import { nearestText } from '../text/nearest.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { readTextSync } from './read-file.ts';
import { replaceFile } from './replace.ts';
import { requireReplaceable, requireVersion } from './write-file.ts';

/** One replacement. */
export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
}

/** What an edit did, or would do. */
export interface EditOutcome {
  readonly replacements: number;
  readonly before: string;
  readonly after: string;
  readonly version: string;
  readonly changes: readonly Change[];
}

/**
 * Applies replacements one after another, all or none. Bytes that no replacement touches are kept as they are:
 * encoding, byte-order mark and line ends. In a file with `\r\n`, a search written with `\n` matches too.
 *
 * @param dryRun compute, change nothing
 * @throws WorkspaceError `not_found`, `invalid` (empty search), `no_match`, `ambiguous`, `too_large`, `binary`,
 *   `not_text`, `changed`, and those of writing
 */
export function editFile(
  enclosure: Enclosure,
  path: string,
  edits: readonly Edit[],
  options: { dryRun?: boolean; expectedVersion?: string | undefined } = {},
): EditOutcome {
  requireWritable(enclosure);
  const found = locate(enclosure, path);
  try {
    if (!found.stat) throw new WorkspaceError('not_found', `File not found: ${path}`);
    requireReplaceable(enclosure, found);
    for (const edit of edits) {
      if (edit.oldString === '') throw new WorkspaceError('invalid', 'old_string must not be empty');
    }
    requireVersion(found, options.expectedVersion);
    const { text: before, encoding, file } = readTextSync(enclosure, path);
    if (!sameFile(file.stat, found.stat) || versionOf(file.stat) !== versionOf(found.stat))
      throw new WorkspaceError('changed', 'The file is being replaced by something else; try again');
    let after = before;
    let replacements = 0;
    for (const edit of edits) {
      const applied = applyEdit(after, edit, path, { encoding, max: enclosure.limits.maxFileBytes });
      after = applied.text;
      replacements += applied.count;
    }
    const bytes = encodeText(after, encoding);
    if (options.dryRun) return { replacements, before, after, version: versionOf(found.stat), changes: [] };
    const { version, changes } = replaceFile(enclosure, found, bytes);
    return { replacements, before, after, version, changes };
  } finally {
    found.close();
  }
}

function applyEdit(
  text: string,
  edit: Edit,
  path: string,
  size: { encoding: Encoding; max: number },
): { text: string; count: number } {
  const { oldString, newString } = matchLineEnds(text, edit);
  const first = text.indexOf(oldString);
  if (first === -1) throw noMatch(text, edit.oldString, path);
  if (!edit.replaceAll && text.indexOf(oldString, first + oldString.length) !== -1)
    throw ambiguous(text, oldString, path);
  const count = edit.replaceAll ? occurrences(text, oldString).length : 1;
  // Known before it is built: a short search and a long replacement could ask for any amount of memory.
  const bytesOf = (part: string) => encodedSize(part, size.encoding);
  const projected = markSize(size.encoding) + bytesOf(text) + count * (bytesOf(newString) - bytesOf(oldString));
  if (projected > size.max) {
    throw new WorkspaceError(
      'too_large',
      `Resulting content size ${projected} would exceed limit of ${size.max} bytes`,
    );
  }
  if (count === 1) return { text: text.slice(0, first) + newString + text.slice(first + oldString.length), count };
  return { text: text.replaceAll(oldString, () => newString), count };
}

/**
 * Line ends as the file has them, when the caller, who was shown lines, wrote plain `\n`. Text that stands in the file
 * as it was written is taken as it was written.
 */
function matchLineEnds(text: string, edit: Edit): { oldString: string; newString: string } {
  const { oldString, newString } = edit;
  if (!text.includes('\r\n') || oldString.includes('\r\n') || newString.includes('\r\n')) return edit;
  const converted = { oldString: oldString.replaceAll('\n', '\r\n'), newString: newString.replaceAll('\n', '\r\n') };
  if (!oldString.includes('\n')) return mostlyCrlf(text) ? converted : edit;
  const verbatim = occurrences(text, oldString).length;
  // `\nfoo` is found inside `\r\nfoo`: the same places, and then the `\r` belongs to the line end.
  const isInside =
    verbatim > 0 && oldString.startsWith('\n') && occurrences(text, converted.oldString).length === verbatim;
  return verbatim === 0 || isInside ? converted : edit;
}

function mostlyCrlf(text: string): boolean {
  const all = occurrences(text, '\n').length;
  return occurrences(text, '\r\n').length * 2 > all;
}

function occurrences(text: string, search: string): number[] {
  const at: number[] = [];
  for (let i = text.indexOf(search); i !== -1; i = text.indexOf(search, i + search.length)) at.push(i);
  return at;
}

function noMatch(text: string, search: string, path: string): WorkspaceError {
  const nearest = nearestText(text, search);
  return new WorkspaceError('no_match', `old_string not found in file: ${path}`, nearest ? { extra: { nearest } } : {});
}

function ambiguous(text: string, search: string, path: string): WorkspaceError {
  const at = occurrences(text, search);
  const lines: number[] = [];
  let line = 1;
  let position = 0;
  for (const match of at.slice(0, 100)) {
    for (let i = text.indexOf('\n', position); i !== -1 && i < match; i = text.indexOf('\n', i + 1)) {
      line++;
      position = i + 1;
    }
    lines.push(line);
  }
  return new WorkspaceError(
    'ambiguous',
    `old_string is ambiguous: ${at.length} multiple matches in ${path}. Pass replace_all=True to replace every occurrence.`,
    { extra: { matches: at.length, lines } },
  );
}
