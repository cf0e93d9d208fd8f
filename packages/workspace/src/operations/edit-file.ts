import { type Enclosure, requireWritable } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { encodedSize, encodeText, type Encoding, markSize } from '../text/encoding.ts';
import { type SearchWork, TextFinder } from '../text/find-text.ts';
import { nearestText } from '../text/nearest.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { isUnchanged, maybeHeld, Outdated, untilCurrent } from './outdated.ts';
import { readTextSync } from './read-whole.ts';
import { replaceFile } from './replace.ts';
import { requireReplaceable, requireVersion } from './write-file.ts';

/** One replacement. */
export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
}

/** How much text the edits of one call may look through together, in characters: a second or two. */
const MAX_WORK = 256 * 1024 * 1024;
/** The work of a slow step of a search, in characters. */
const SLOW_STEP = 8;

/** The result of an edit or of a dry run. */
export interface EditOutcome {
  readonly replacements: number;
  readonly before: string;
  readonly after: string;
  readonly version: string;
  readonly changes: readonly Change[];
}

export interface EditOptions extends CallOptions {
  /** Compute the result without changing the file. */
  readonly dryRun?: boolean;
  readonly expectedVersion?: string | undefined;
}

/**
 * Applies replacements one after another, all or none. Bytes that no replacement touches are kept as they are:
 * encoding, byte-order mark and line ends. In a file with `\r\n`, a search written with `\n` matches too. Where another
 * call changes the file in between, the edits are applied to its result.
 *
 * @throws WorkspaceError `not_found`, `invalid` (empty search), `no_match`, `ambiguous`, `too_large`, `binary`,
 *   `not_text`, `changed`, `busy`, and those of writing
 */
export function editFile(
  workspace: Enclosure,
  path: string,
  edits: readonly Edit[],
  options: EditOptions = {},
): EditOutcome {
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return untilCurrent((hold) => {
    const found = locate(enclosure, path, { forChange: !options.dryRun });
    try {
      return maybeHeld(enclosure.root, found, hold, (place) => editPlace(enclosure, place, edits, options));
    } finally {
      found.close();
    }
  });
}

/** @throws Outdated when the file changed before the result could be put there */
function editPlace(enclosure: Enclosure, found: Located, edits: readonly Edit[], options: EditOptions): EditOutcome {
  const path = found.path.written;
  if (!found.stat) throw new WorkspaceError('not_found', `File not found: ${path}`);
  requireReplaceable(enclosure, found);
  for (const edit of edits) {
    if (edit.oldString === '') throw new WorkspaceError('invalid', 'old_string must not be empty');
  }
  requireVersion(found, options.expectedVersion);
  const { text: before, encoding, file } = readTextSync(enclosure, path);
  if (!isUnchanged(file.stat, found.stat)) throw new Outdated();
  // Refused before any of the work is done, where that is possible.
  if (before.length * edits.length > MAX_WORK) throw tooMuchWork();
  const max = enclosure.limits.maxFileBytes;
  let now: Edited = {
    text: before,
    size: markSize(encoding) + encodedSize(before, encoding),
  };
  let replacements = 0;
  let read = 0;
  const work: SearchWork = { slowSteps: 0 };
  for (const edit of edits) {
    read += now.text.length;
    if (read + SLOW_STEP * work.slowSteps > MAX_WORK) throw tooMuchWork();
    const applied = applyEdit(now, edit, path, { encoding, max, work });
    now = applied.edited;
    replacements += applied.count;
  }
  const after = now.text;
  const bytes = encodeText(after, encoding);
  // Half a character has another size beside its other half, so the running size may be a little off.
  if (bytes.length > max) throw tooLarge(bytes.length, max);
  if (options.dryRun) return { replacements, before, after, version: versionOf(found.stat), changes: [] };
  const { version, changes } = replaceFile(enclosure, found, bytes);
  return { replacements, before, after, version, changes };
}

/** The text between two edits. Its size in bytes is carried along. */
interface Edited {
  readonly text: string;
  readonly size: number;
}

function applyEdit(
  edited: Edited,
  edit: Edit,
  path: string,
  options: { encoding: Encoding; max: number; work: SearchWork },
): { edited: Edited; count: number } {
  const { text } = edited;
  const { oldString, newString, inCrlf } = matchLineEnds(text, edit, options.work);
  const finder = new TextFinder(oldString, options.work);
  const first = finder.first(text);
  if (first === -1) throw noMatch(text, edit.oldString, path);
  if (!edit.replaceAll && finder.first(text, first + oldString.length) !== -1) throw ambiguous(text, finder, path);
  const count = edit.replaceAll ? finder.count(text) : 1;
  const countInCrlf = inCrlf === undefined ? 0 : countPlaces(text, finder, count, crlfPlaces(text));
  // Known before it is built: a short search and a long replacement could ask for any amount of memory.
  const bytesOf = (part: string) => encodedSize(part, options.encoding);
  const added = (count - countInCrlf) * bytesOf(newString) + countInCrlf * bytesOf(inCrlf ?? '');
  const size = edited.size + added - count * bytesOf(oldString);
  if (size > options.max) throw tooLarge(size, options.max);
  const isCrlf = crlfPlaces(text);
  const textAt = (at: number) => (inCrlf !== undefined && isCrlf(at) ? inCrlf : newString);
  const replaced =
    count === 1
      ? text.slice(0, first) + textAt(first) + text.slice(first + oldString.length)
      : finder.replaceAll(text, textAt);
  return { edited: { text: replaced, size }, count };
}

/** An edit with the line ends of the file. */
interface MatchedEdit {
  readonly oldString: string;
  readonly newString: string;
  /** The new text for places whose line ends in `\r\n`, where that differs. */
  readonly inCrlf?: string;
}

/**
 * Gives an edit the line ends of the places that it changes if the caller wrote plain `\n`, as in the lines that tools
 * show. If the file contains the text exactly as written, the edit stays unchanged. A place whose lines end in
 * both ways gets the end of its first line.
 */
function matchLineEnds(text: string, { oldString, newString }: Edit, work: SearchWork): MatchedEdit {
  const edit = { oldString, newString };
  if (!text.includes('\r\n') || oldString.includes('\r\n') || newString.includes('\r\n')) return edit;
  const inCrlf = newString.replaceAll('\n', '\r\n');
  if (!oldString.includes('\n')) return inCrlf === newString ? edit : { ...edit, inCrlf };
  const converted = { oldString: oldString.replaceAll('\n', '\r\n'), newString: inCrlf };
  const verbatim = new TextFinder(oldString, work).count(text);
  // `\nfoo` also matches inside `\r\nfoo`. If all matches are of this kind, the `\r` belongs to the line end.
  const isInside =
    verbatim > 0 && oldString.startsWith('\n') && new TextFinder(converted.oldString, work).count(text) === verbatim;
  if (verbatim > 0) return isInside ? converted : edit;
  if (new TextFinder(converted.oldString, work).first(text) !== -1) return converted;
  const mixed = mixedLines(text, oldString, work);
  if (mixed === undefined) return converted;
  return { oldString: mixed, newString: mixed[mixed.indexOf('\n') - 1] === '\r' ? inCrlf : newString };
}

/** The text of the only place that matches with plain line ends: its lines end in both ways. */
function mixedLines(text: string, oldString: string, work: SearchWork): string | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  const finder = new TextFinder(oldString, work);
  const at = finder.first(plain);
  if (at === -1 || finder.first(plain, at + oldString.length) !== -1) return undefined;
  const start = placeIn(text, at);
  return text.slice(start, placeIn(text, at + oldString.length));
}

/** The place in a text of a place in the same text with plain line ends. */
function placeIn(text: string, plainAt: number): number {
  let ends = 0;
  for (let at = text.indexOf('\r\n'); at !== -1 && at - ends < plainAt; at = text.indexOf('\r\n', at + 2)) ends++;
  return plainAt + ends;
}

/**
 * Tells for places in rising order whether their line ends in `\r\n`. The last line of a text counts by the line before it.
 */
function crlfPlaces(text: string): (at: number) => boolean {
  let end = -1;
  let isCrlf = false;
  return (at) => {
    if (end >= at) return isCrlf;
    const next = text.indexOf('\n', at);
    end = next === -1 ? text.length : next;
    const lineEnd = next === -1 ? text.lastIndexOf('\n', at) : next;
    isCrlf = lineEnd > 0 && text[lineEnd - 1] === '\r';
    return isCrlf;
  };
}

function countPlaces(text: string, finder: TextFinder, most: number, counts: (at: number) => boolean): number {
  let count = 0;
  let at = finder.first(text);
  for (let i = 0; i < most && at !== -1; i++, at = finder.first(text, at + finder.wanted.length))
    if (counts(at)) count++;
  return count;
}

function tooMuchWork(): WorkspaceError {
  return new WorkspaceError('too_large', 'These edits are too much work for one call; send fewer at once');
}

function tooLarge(size: number, max: number): WorkspaceError {
  return new WorkspaceError('too_large', `Resulting content size ${size} would exceed limit of ${max} bytes`);
}

function noMatch(text: string, search: string, path: string): WorkspaceError {
  const nearest = nearestText(text, search);
  return new WorkspaceError('no_match', `old_string not found in file: ${path}`, nearest ? { extra: { nearest } } : {});
}

function ambiguous(text: string, finder: TextFinder, path: string): WorkspaceError {
  const matches = finder.count(text);
  const lines: number[] = [];
  let line = 1;
  let position = 0;
  let match = -finder.wanted.length;
  while (lines.length < Math.min(matches, 100)) {
    match = finder.first(text, match + finder.wanted.length);
    for (let i = text.indexOf('\n', position); i !== -1 && i < match; i = text.indexOf('\n', i + 1)) {
      line++;
      position = i + 1;
    }
    lines.push(line);
  }
  return new WorkspaceError(
    'ambiguous',
    `old_string is ambiguous: ${matches} multiple matches in ${path}. Pass replace_all=True to replace every occurrence.`,
    { extra: { matches, lines } },
  );
}
