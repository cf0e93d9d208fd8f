import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Change, decodeText, isBinary, type Workspace, WorkspaceError } from '@croft/workspace';
import { diffLines } from '../files/unified-diff.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { type ChangeHistory, type ContentAt, followContent, openHistory } from './content-source.ts';

/** Changed lines up to which a diff is minimal: with twice as many, a diff would hold other requests twice as long, for 0.1 s. */
const MAX_EDITS = 1_000;

/** The content of one file before and after a change. */
export interface FileDiff {
  readonly kind: Exclude<Change['kind'], 'mkdir'>;
  readonly path: string;
  /** Of a move: the new path. */
  readonly to?: string;
  /**
   * The hunks of a unified diff, without the header that names the file; empty if the text is the same. Ends after about
   * {@link MAX_DIFF_CHARS} characters, and its lines after {@link MAX_LINE_CHARS}. Absent if there is a `problem`.
   */
  readonly diff?: string;
  /** Lines of the whole diff. */
  readonly added: number;
  readonly removed: number;
  /** Lines or parts of lines are left out. */
  readonly isCut: boolean;
  /** The reason why the content cannot be compared, in one sentence without a full stop. */
  readonly problem?: string;
}

export interface ChangeDiffs {
  readonly files: readonly FileDiff[];
  /** Further changed files of the same call. */
  readonly moreFiles: number;
}

/** Of one file, before or after. Larger ones take too long to compare in one turn of the event loop. */
const MAX_BYTES = 256 * 1024;
export const MAX_DIFF_CHARS = 64 * 1024;
export const MAX_LINE_CHARS = 2_000;
const MAX_FILES = 20;

/**
 * Compares what calls changed: the content that the trash kept with the content after the call, which the file still has or which
 * the trash kept for a later change. Reads only what the workspace lets its callers read. Content that another program wrote is
 * never shown as that of a change. Yields to other work between two files.
 *
 * @param entries all of the log, oldest first
 */
export function openChangeDiffs(
  workspace: Workspace,
  entries: readonly ActivityEntry[],
): (entry: Pick<ActivityEntry, 'id' | 'changes'>) => Promise<ChangeDiffs> {
  const history = openHistory(entries);
  return async ({ id, changes = [] }) => {
    const start = history.startOf(id);
    const own = changes.flatMap((change, i) => (change.kind === 'mkdir' ? [] : [{ change, next: start + i + 1 }]));
    const files: FileDiff[] = [];
    for (const { change, next } of own.slice(0, MAX_FILES)) {
      await nextTurn();
      files.push(await fileDiff({ workspace, history }, change, next));
    }
    return { files, moreFiles: own.length - files.length };
  };
}

interface Comparison {
  readonly workspace: Workspace;
  readonly history: ChangeHistory;
}

async function fileDiff(comparison: Comparison, change: Change, next: number): Promise<FileDiff> {
  const { path, to } = change;
  const kind = change.kind as FileDiff['kind'];
  const about = { kind, path, ...(to !== undefined && { to }) };
  const none = { added: 0, removed: 0, isCut: false };
  if (kind === 'move') return { ...about, ...none, diff: '' };
  try {
    const { before, after } = await bothTexts(comparison, change, next);
    return { ...about, ...boundedDiff(before, after) };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { ...about, ...none, problem: problemOf(error) };
  }
}

function boundedDiff(before: string, after: string): Required<Pick<FileDiff, 'diff' | 'added' | 'removed' | 'isCut'>> {
  let [diff, added, removed, isCut] = ['', 0, 0, false];
  for (const line of diffLines(before, after, MAX_EDITS)) {
    if (line.startsWith('+')) added++;
    else if (line.startsWith('-')) removed++;
    if (diff.length >= MAX_DIFF_CHARS) {
      isCut = true;
      continue;
    }
    const isLong = line.length > MAX_LINE_CHARS;
    diff += isLong ? `${line.slice(0, MAX_LINE_CHARS)}…\n` : line;
    isCut ||= isLong;
  }
  return { diff, added, removed, isCut };
}

async function bothTexts(comparison: Comparison, change: Change, next: number) {
  const { kind, path, after: version, length = 0, bytes = 0 } = change;
  const text = (content: Buffer): string => {
    if (isBinary(content, comparison.workspace.limits.binarySniffBytes))
      throw new WorkspaceError('binary', 'The file is not text');
    return decodeText(content).text;
  };
  const before = async () => text(await contentBefore(comparison, change));
  if (kind === 'delete') return { before: await before(), after: '' };
  if (version === undefined) throw new WorkspaceError('is_directory', 'Folders are not compared');
  const after = () => contentAt(comparison, { path: change.to ?? path, version, next });
  if (kind === 'update') return { before: await before(), after: text(await after()) };
  const content = await after();
  if (kind === 'create') return { before: '', after: text(content) };
  return { before: text(content.subarray(0, length)), after: text(content.subarray(0, length + bytes)) };
}

/** The content that a change replaced or removed: in the trash, or where an undo moved it back to. */
async function contentBefore(comparison: Comparison, change: Change): Promise<Buffer> {
  const { workspace, history } = comparison;
  const back = history.restored.get(change.trash ?? '');
  if (back !== undefined) return contentAt(comparison, back);
  const { bytes, version } = workspace.readKept(change, { maxBytes: MAX_BYTES });
  if (change.before !== undefined && !history.isSame(version, change.before))
    throw lost('Another program wrote to the old content since');
  return bytes;
}

/** Content, where later changes left it. @throws WorkspaceError `changed`, for people, if it is neither in a file nor in the trash */
async function contentAt({ workspace, history }: Comparison, from: ContentAt): Promise<Buffer> {
  const source = followContent(history, from);
  if (source === 'removed') throw lost('The file was removed since');
  if (source === 'changed') throw lost('Another program changed the file since');
  const { kept, path, version, length } = source;
  const { bytes, version: found } = await (kept === undefined
    ? readNow(workspace, path)
    : readLaterKept(workspace, kept));
  if (!history.isSame(found, version)) throw lost('Another program changed the file since');
  return length === undefined ? bytes : bytes.subarray(0, length);
}

const readNow = (workspace: Workspace, path: string) =>
  orLost('The file was removed since', () => workspace.readBytes(path, { maxBytes: MAX_BYTES }));
const readLaterKept = (workspace: Workspace, kept: Change) =>
  orLost('The content after this change was not kept', async () => workspace.readKept(kept, { maxBytes: MAX_BYTES }));

async function orLost<Result>(message: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof WorkspaceError && error.code === 'not_found' ? lost(message) : error;
  }
}

const lost = (message: string): WorkspaceError => new WorkspaceError('changed', message);

function problemOf({ code, message }: WorkspaceError): string {
  switch (code) {
    case 'not_found':
      return 'The old content was not kept';
    case 'too_large':
      return `Files over ${MAX_BYTES / 1024} KiB are not compared`;
    case 'is_directory':
    case 'not_regular':
      return 'Folders and links are not compared';
    default:
      return message;
  }
}
