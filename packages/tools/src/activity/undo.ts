import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Change, type ChangeJournal, type Workspace, WorkspaceError } from '@croft/workspace';
import type { ActivityEntry, Actor } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import type { PendingRecord, UndoFields } from './pending-record.ts';
import { type RestoredVersions, restoredVersions } from './restored-versions.ts';
import { openTakenBack } from './taken-back.ts';
import { isOnOneWay, touchedBy, type UndoStep, undoSteps } from './undo-steps.ts';

/** The calls to undo: the newest `count`, or all since a time in epoch milliseconds. */
export type UndoSelection = { readonly count: number } | { readonly sinceMs: number };

/** The result of undoing one call. */
export interface UndoneEntry {
  readonly entry: ActivityEntry;
  readonly ok: boolean;
  /** The reason for a failure, in one sentence. */
  readonly problem?: string;
}

/** Options of an undo. */
export interface UndoOptions {
  readonly signal?: AbortSignal | undefined;
}

const CANCELLED = 'The undo was cancelled';

/** The ids of entries that were undone. */
export const undoneIds = (entries: readonly ActivityEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap((entry) => entry.undoes ?? []));

/** Selects the calls to undo, newest first: calls with changes that were not undone before. */
export function selectUndo(entries: readonly ActivityEntry[], selection: UndoSelection): readonly ActivityEntry[] {
  const undone = undoneIds(entries);
  const candidates = entries
    .filter((entry) => entry.changes !== undefined && entry.undoes === undefined && !undone.has(entry.id))
    .reverse();
  if ('count' in selection) return candidates.slice(0, selection.count);
  return candidates.filter((entry) => Date.parse(entry.time) >= selection.sinceMs);
}

/**
 * Undoes calls, newest first, each completely or as far as possible. Does not undo a change whose path another program changed
 * since, nor older changes of that path or of paths above or below it, and reports them. Where the trash dropped versions in
 * between, restores an older content that it kept, if all calls since then are chosen. Records the undo itself, and moves
 * the content that it replaces to the trash. Yields to other work of the process between two calls.
 *
 * @param options `signal` cancels between two steps: finished steps stay undone, and the rest is reported
 */
export async function undoEntries(
  workspace: Workspace,
  activity: Activity,
  chosen: readonly ActivityEntry[],
  actor: Actor,
  { signal }: UndoOptions = {},
): Promise<readonly UndoneEntry[]> {
  const entries = activity.entries();
  const aliases = restoredVersions(entries);
  const isTakenBack = openTakenBack(workspace, entries);
  // Paths that could not be undone; older changes at these paths cannot be undone either.
  const stuck: string[] = [];
  // Directories that were not empty yet: a call that overlapped with the one that made them still has its content there.
  const leftDirs: Change[] = [];
  const outcome: UndoneEntry[] = [];
  for (const step of undoSteps(chosen, activity, aliases)) {
    await nextTurn();
    const [entry] = step.entries as [ActivityEntry];
    const report = (problem: string | undefined) =>
      outcome.push(
        ...step.entries.map((each) =>
          problem === undefined ? { entry: each, ok: true } : { entry: each, ok: false, problem },
        ),
      );
    if (signal?.aborted) {
      report(CANCELLED);
      continue;
    }
    const touched = touchedBy(step);
    const blocked = touched.find((path) => stuck.some((other) => isOnOneWay(path, other)));
    const record = activity.begin({ tool: 'undo', actor, started: Date.now(), paths: () => entry.paths });
    let problem = blocked === undefined ? undefined : `A newer change at ${blocked} could not be undone`;
    let undone: Undone = { made: [], aliases: {}, restored: [] };
    if (problem === undefined)
      ({ problem, ...undone } = await undoStep(workspace, record, step, { aliases, isTakenBack, signal, leftDirs }));
    if (problem !== undefined) stuck.push(...touched);
    const isUndone = problem === undefined;
    try {
      record.finish(
        { outcome: isUndone ? 'ok' : 'refused', changes: undone.made },
        fieldsOf(isUndone ? idsOf(step) : [], undone),
      );
    } catch (error) {
      // The problem already says that the log cannot be written.
      if (isUndone) throw error;
    }
    report(problem);
  }
  return outcome;
}

interface UndoParts extends UndoOptions {
  readonly aliases: RestoredVersions;
  readonly isTakenBack: (change: Change) => Promise<boolean>;
  readonly leftDirs: Change[];
}

/** The changes of an undo so far. */
interface Undone {
  readonly made: readonly Change[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly restored: readonly string[];
}

function idsOf({ entries }: UndoStep): readonly string[] {
  return entries.map(({ id }) => id);
}

/**
 * Undoes the changes of one step, the last one first, and then removes directories of `leftDirs` that this has emptied.
 * Records each step before it is made.
 */
async function undoStep(
  workspace: Workspace,
  record: PendingRecord,
  step: UndoStep,
  { aliases, isTakenBack, signal, leftDirs }: UndoParts,
): Promise<Undone & { problem: string | undefined }> {
  const made: Change[] = [];
  const added: Record<string, string> = {};
  const restored: string[] = [];
  const soFar = { made, aliases: added, restored };
  const touched = touchedBy(step);
  const emptied = leftDirs.filter(({ path }) => touched.some((each) => isOnOneWay(path, each)));
  for (const dir of emptied) leftDirs.splice(leftDirs.indexOf(dir), 1);
  const todo = [...[...step.changes].reverse(), ...emptied];
  for (const [index, change] of todo.entries()) {
    const rest = todo.slice(index + 1);
    // Created parent directories may remain. The call counts as undone with its last other change.
    const undoes = rest.some(({ kind }) => kind !== 'mkdir') ? [] : idsOf(step);
    const journal: ChangeJournal = {
      intend: (changes) =>
        record.intend(
          [...made, ...changes],
          fieldsOf(undoes, {
            aliases: { ...added, ...aliasOf(change, changes) },
            restored: [...restored, ...keptBy(change)],
          }),
        ),
      done: () => record.done(),
      withdraw: () => (made.length > 0 ? record.intend(made, fieldsOf([], soFar)) : record.withdraw()),
    };
    try {
      const { changes } = await workspace.undo(known(change, aliases), { journal, signal });
      made.push(...changes);
      restored.push(...keptBy(change));
      for (const [before, now] of Object.entries(aliasOf(change, changes))) {
        aliases.add(before, now);
        added[before] = now;
      }
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      if (error.code === 'cancelled') return { ...soFar, problem: CANCELLED };
      if (await isTakenBack(change)) continue;
      // A directory that is no longer empty remains.
      if (change.kind === 'mkdir') {
        leftDirs.push(change);
        continue;
      }
      return { ...soFar, problem: problemOf(error, change) };
    }
  }
  return { ...soFar, problem: undefined };
}

/** A failure for the person who undoes. The messages of these codes tell an agent how to call again. */
function problemOf({ code, message }: WorkspaceError, { path, to = path }: Change): string {
  if (code === 'changed') return `${to} was changed since`;
  if (code === 'not_empty') return `${to} is not empty`;
  if (code === 'exists') return `Something new exists at ${path}`;
  return message;
}

function fieldsOf(undoes: readonly string[], { aliases, restored }: Omit<Undone, 'made'>): UndoFields {
  return { undoes, ...(Object.keys(aliases).length > 0 && { aliases }), restored };
}

/** The id in the trash of the content that the undo of a change moves back. */
const keptBy = ({ kind, trash }: Change): readonly string[] =>
  trash !== undefined && (kind === 'update' || kind === 'delete') ? [trash] : [];

/** Updates the version in a change: a restored copy has a new version, but older entries have the old one. */
export function known(change: Change, aliases: RestoredVersions): Change {
  const after = change.after === undefined ? undefined : aliases.latest(change.after);
  return after === undefined || after === change.after ? change : { ...change, after };
}

/** The new version of a restored file, by its old version, if they differ. */
function aliasOf(change: Change, made: readonly Change[]): Record<string, string> {
  const now = made.at(-1)?.after;
  return change.before === undefined || now === undefined || now === change.before ? {} : { [change.before]: now };
}
