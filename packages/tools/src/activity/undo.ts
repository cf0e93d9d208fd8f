import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Change, type ChangeJournal, type Workspace, WorkspaceError } from '@croft/workspace';
import type { ActivityEntry, Actor } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import type { PendingRecord, UndoFields } from './pending-record.ts';

/** Which calls to take back: the newest so many, or all since a time (epoch milliseconds). */
export type UndoSelection = { readonly count: number } | { readonly sinceMs: number };

/** What became of one call that was to be taken back. */
export interface UndoneEntry {
  readonly entry: ActivityEntry;
  readonly ok: boolean;
  /** Why not, in a sentence. */
  readonly problem?: string;
}

/** How an undo runs. */
export interface UndoOptions {
  readonly signal?: AbortSignal | undefined;
}

const CANCELLED = 'The undo was cancelled';

/** The calls an undo would take back, newest first: those that changed something and were not taken back before. */
export function selectUndo(entries: readonly ActivityEntry[], selection: UndoSelection): readonly ActivityEntry[] {
  const undone = new Set(entries.flatMap((entry) => entry.undoes ?? []));
  const candidates = entries
    .filter((entry) => entry.changes !== undefined && entry.undoes === undefined && !undone.has(entry.id))
    .reverse();
  if ('count' in selection) return candidates.slice(0, selection.count);
  return candidates.filter((entry) => Date.parse(entry.time) >= selection.sinceMs);
}

/**
 * Takes calls back, newest first, each whole or as far as it goes. A place that was changed since by anything else is
 * left alone and reported, and so is all that was done before at, above or below it. The undo is itself recorded; what it
 * replaces goes to the trash. Other work of the process runs between two calls.
 *
 * @param options `signal` cancels it between two steps: what is taken back by then stays so, and the rest is reported
 */
export async function undoEntries(
  workspace: Workspace,
  activity: Activity,
  chosen: readonly ActivityEntry[],
  actor: Actor,
  { signal }: UndoOptions = {},
): Promise<readonly UndoneEntry[]> {
  const aliases = collectAliases(activity.entries());
  // What stays as it is on the way back: an older change there was made to something else.
  const stuck: string[] = [];
  const outcome: UndoneEntry[] = [];
  for (const entry of chosen) {
    await nextTurn();
    if (signal?.aborted) {
      outcome.push({ entry, ok: false, problem: CANCELLED });
      continue;
    }
    const touched = touchedBy(entry);
    const blocked = touched.find((path) => stuck.some((other) => isOnOneWay(path, other)));
    const record = activity.begin({ tool: 'undo', actor, started: Date.now(), paths: () => entry.paths });
    let problem = blocked === undefined ? undefined : `Something newer at ${blocked} could not be taken back`;
    let undone: Undone = { made: [], aliases: {} };
    if (problem === undefined)
      ({ problem, ...undone } = await undoEntry(workspace, record, entry, { aliases, signal }));
    if (problem !== undefined) stuck.push(...touched);
    const isUndone = problem === undefined;
    record.finish(
      { outcome: isUndone ? 'ok' : 'refused', changes: undone.made },
      fieldsOf(isUndone ? [entry.id] : [], undone.aliases),
    );
    outcome.push(problem === undefined ? { entry, ok: true } : { entry, ok: false, problem });
  }
  return outcome;
}

/** The changes of an undo so far. */
interface Undone {
  readonly made: readonly Change[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** Takes the changes of one call back, the last one first. Each step is recorded before it is made. */
async function undoEntry(
  workspace: Workspace,
  record: PendingRecord,
  entry: ActivityEntry,
  { aliases, signal }: UndoOptions & { readonly aliases: Map<string, string> },
): Promise<Undone & { problem: string | undefined }> {
  const made: Change[] = [];
  const added: Record<string, string> = {};
  const steps = [...(entry.changes ?? [])].reverse();
  for (const [index, change] of steps.entries()) {
    const rest = steps.slice(index + 1);
    // Parents may stay for others. The entry counts as taken back with its last other change.
    const undoes = rest.some(({ kind }) => kind !== 'mkdir') ? [] : [entry.id];
    const journal: ChangeJournal = {
      intend: (changes) =>
        record.intend([...made, ...changes], fieldsOf(undoes, { ...added, ...aliasOf(change, changes) })),
      done: () => record.done(),
      withdraw: () => (made.length > 0 ? record.intend(made, fieldsOf([], added)) : record.withdraw()),
    };
    try {
      const { changes } = await workspace.undo(known(change, aliases), { journal, signal });
      made.push(...changes);
      for (const [before, now] of Object.entries(aliasOf(change, changes))) {
        aliases.set(before, now);
        added[before] = now;
      }
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      if (error.code === 'cancelled') return { made, aliases: added, problem: CANCELLED };
      // A directory that others have used since stays.
      if (change.kind === 'mkdir') continue;
      return { made, aliases: added, problem: error.message };
    }
  }
  return { made, aliases: added, problem: undefined };
}

function fieldsOf(undoes: readonly string[], aliases: Readonly<Record<string, string>>): UndoFields {
  return { undoes, ...(Object.keys(aliases).length > 0 && { aliases }) };
}

/** Where a call changed something. Directories made on the way are taken back only when they are empty. */
export function touchedBy(entry: ActivityEntry): string[] {
  return (entry.changes ?? []).flatMap(({ kind, path, to }) =>
    kind === 'mkdir' ? [] : to === undefined ? path : [path, to],
  );
}

/** Whether two paths are the same or one lies below the other. */
export function isOnOneWay(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** A file brought back by copying has a new version; older entries still name the one before. */
export function known(change: Change, aliases: ReadonlyMap<string, string>): Change {
  let { after } = change;
  // A file may have been brought back more than once. Versions are never used twice, so this ends.
  for (let next = after; next !== undefined; next = aliases.get(next)) after = next;
  return after === undefined || after === change.after ? change : { ...change, after };
}

/** The new name of the version that a change brought back, where that is another one. */
function aliasOf(change: Change, made: readonly Change[]): Record<string, string> {
  const now = made.at(-1)?.after;
  return change.before === undefined || now === undefined || now === change.before ? {} : { [change.before]: now };
}

/** Old versions that now go by a new name. */
export function collectAliases(entries: readonly ActivityEntry[]): Map<string, string> {
  return new Map(entries.flatMap((entry) => Object.entries(entry.aliases ?? {})));
}
