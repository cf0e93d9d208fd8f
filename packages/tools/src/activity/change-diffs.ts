import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Change, decodeText, isBinary, isSameButMoved, type Workspace, WorkspaceError } from '@croft/workspace';
import { unifiedDiff } from '../files/unified-diff.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { contentSource } from './content-source.ts';
import { type RestoredVersions, restoredVersions } from './restored-versions.ts';

/** The content of one file before and after a change. */
export interface FileDiff {
  readonly kind: Exclude<Change['kind'], 'mkdir'>;
  readonly path: string;
  /** Of a move: the new path. */
  readonly to?: string;
  /** A unified diff, at most {@link MAX_DIFF_CHARS} characters; empty if the text is the same. Absent if there is a `problem`. */
  readonly diff?: string;
  /** Lines of the whole diff. */
  readonly added: number;
  readonly removed: number;
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
const MAX_FILES = 20;

/**
 * Compares what calls changed: the content that the trash kept with the content after the call, which the file still has or which
 * the trash kept for a later change. Reads only what the workspace lets its callers read. Yields to other work between two files.
 *
 * @param entries all of the log, oldest first
 */
export function openChangeDiffs(
  workspace: Workspace,
  entries: readonly ActivityEntry[],
): (entry: Pick<ActivityEntry, 'id' | 'changes'>) => Promise<ChangeDiffs> {
  const aliases = restoredVersions(entries);
  const starts = new Map<string, number>();
  const all: Change[] = [];
  const restored = new Map<string, Restored>();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const { id, changes = [], undoes = [] } of entries) {
    starts.set(id, all.length);
    const undone = undoes.flatMap((each) => byId.get(each)?.changes ?? []);
    for (const [i, change] of changes.entries()) {
      const { trash } = undone.find(({ path }) => path === change.path) ?? {};
      if (trash !== undefined && change.after !== undefined) restored.set(trash, { change, next: all.length + i + 1 });
    }
    all.push(...changes);
  }
  return async ({ id, changes = [] }) => {
    const start = starts.get(id) ?? all.length;
    const own = changes.flatMap((change, i) => (change.kind === 'mkdir' ? [] : [{ change, next: start + i + 1 }]));
    const files: FileDiff[] = [];
    for (const { change, next } of own.slice(0, MAX_FILES)) {
      await nextTurn();
      files.push(await fileDiff(workspace, change, { all, next, aliases, restored }));
    }
    return { files, moreFiles: own.length - files.length };
  };
}

interface LaterState {
  /** The changes of all calls, and the index of the one after this change. */
  readonly all: readonly Change[];
  readonly next: number;
  readonly aliases: RestoredVersions;
  /** By the id in the trash: the change of an undo that moved the content back, and the index of the change after it. */
  readonly restored: ReadonlyMap<string, Restored>;
}

interface Restored {
  readonly change: Change;
  readonly next: number;
}

async function fileDiff(workspace: Workspace, change: Change, state: LaterState): Promise<FileDiff> {
  const { path, to } = change;
  const kind = change.kind as FileDiff['kind'];
  const about = { kind, path, ...(to !== undefined && { to }) };
  const none = { added: 0, removed: 0, isCut: false };
  if (kind === 'move') return { ...about, ...none, diff: '' };
  try {
    const { before, after } = await bothTexts(workspace, change, state);
    const lines = unifiedDiff(path, before, after).split('\n').slice(2);
    const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
    return { ...about, ...none, added: count('+'), removed: count('-'), ...cutLines(lines) };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { ...about, ...none, problem: problemOf(error) };
  }
}

/** Whole lines of a diff, up to its bound. */
function cutLines(lines: readonly string[]): { readonly diff: string; readonly isCut: boolean } {
  const text = lines.join('\n');
  if (text.length <= MAX_DIFF_CHARS) return { diff: text, isCut: false };
  const end = text.lastIndexOf('\n', MAX_DIFF_CHARS);
  return { diff: text.slice(0, end < 0 ? MAX_DIFF_CHARS : end + 1), isCut: true };
}

async function bothTexts(workspace: Workspace, change: Change, state: LaterState) {
  const { kind, length = 0, bytes = 0 } = change;
  const text = (content: Buffer): string => {
    if (isBinary(content, workspace.limits.binarySniffBytes)) throw new WorkspaceError('binary', 'The file is binary');
    return decodeText(content).text;
  };
  const before = async () => text((await readKept(workspace, change, state)).bytes);
  if (kind === 'delete') return { before: await before(), after: '' };
  if (change.after === undefined) throw new WorkspaceError('is_directory', 'Folders are not compared');
  if (kind === 'update') return { before: await before(), after: text(await contentAfter(workspace, change, state)) };
  const after = await contentAfter(workspace, change, state);
  if (kind === 'create') return { before: '', after: text(after) };
  return { before: text(after.subarray(0, length)), after: text(after.subarray(0, length + bytes)) };
}

/** The content that a change left. @throws WorkspaceError `changed`, for people, if neither the file nor the trash has it any more */
async function contentAfter(workspace: Workspace, change: Change, state: LaterState): Promise<Buffer> {
  const { all, next, aliases } = state;
  const source = contentSource(change, all, next);
  if (source === undefined) throw lost('The file was removed since');
  const { kept, path, version, length } = source;
  const { bytes, version: found } =
    kept === undefined ? await readNow(workspace, path) : await readKept(workspace, kept, state);
  if (!isSameButMoved(found, version) && !isSameButMoved(found, aliases.latest(version)))
    throw lost('Another program changed the file since');
  return length === undefined ? bytes : bytes.subarray(0, length);
}

/** The content that a change replaced or removed: in the trash, or where an undo moved it back to. */
async function readKept(workspace: Workspace, change: Change, state: LaterState): ReturnType<Workspace['readBytes']> {
  const { trash = '' } = change;
  const back = state.restored.get(trash);
  if (back === undefined) return workspace.readKept(change, { maxBytes: MAX_BYTES });
  return {
    bytes: await contentAfter(workspace, back.change, { ...state, next: back.next }),
    version: back.change.after ?? '',
  };
}

async function readNow(workspace: Workspace, path: string): ReturnType<Workspace['readBytes']> {
  try {
    return await workspace.readBytes(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    const isGone = error instanceof WorkspaceError && error.code === 'not_found';
    throw isGone ? lost('The file was removed since') : error;
  }
}

const lost = (message: string): WorkspaceError => new WorkspaceError('changed', message);

function problemOf({ code, message }: WorkspaceError): string {
  switch (code) {
    case 'not_found':
      return 'The old content was not kept';
    case 'too_large':
      return `Files over ${MAX_BYTES / 1024} KiB are not compared`;
    case 'binary':
      return 'The file is not text';
    case 'is_directory':
    case 'not_regular':
      return 'Folders and links are not compared';
    default:
      return message;
  }
}
