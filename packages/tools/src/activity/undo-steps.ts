import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import type { RestoredVersions } from './restored-versions.ts';

/** One step of an undo: takes back one call, or several whole calls that changed the same file. */
export interface UndoStep {
  /** Newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly changes: readonly Change[];
}

/**
 * Divides the calls to undo into steps, newest first. Each call is a step of its own, with one exception: where the trash
 * dropped versions between the present content of a file and an older one that it kept, these calls are undone together,
 * directly to the older content. (The trash drops versions that tools wrote before the original.)
 */
export function undoSteps(
  chosen: readonly ActivityEntry[],
  { trashDir }: Pick<Activity, 'trashDir'>,
  aliases: RestoredVersions,
): readonly UndoStep[] {
  const isKept = ({ trash }: Change) =>
    trash !== undefined && lstatSync(join(trashDir, trash), { throwIfNoEntry: false }) !== undefined;
  const joined = new Set<ActivityEntry>();
  return chosen.flatMap((entry, i): UndoStep[] => {
    if (joined.has(entry)) return [];
    const older = () => chosen.slice(i + 1).filter((other) => !joined.has(other));
    const step = acrossDropped(entry, older, { isKept, aliases }) ?? { entries: [entry], changes: entry.changes ?? [] };
    for (const each of step.entries) joined.add(each);
    return [step];
  });
}

/** One step to the newest kept content before this call; undefined if none is needed or possible. */
function acrossDropped(
  entry: ActivityEntry,
  older: () => readonly ActivityEntry[],
  { isKept, aliases }: { readonly isKept: (change: Change) => boolean; readonly aliases: RestoredVersions },
): UndoStep | undefined {
  const newest = fileChange(entry);
  if (newest === undefined || (newest.kind !== 'update' && newest.kind !== 'delete') || isKept(newest))
    return undefined;
  const entries = [entry];
  let { before } = newest;
  for (const other of older()) {
    if (!touchedBy(other).some((path) => isOnOneWay(path, newest.path))) continue;
    const change = fileChange(other);
    if (change?.path !== newest.path || change.after === undefined || before === undefined) return undefined;
    if (change.after !== before && aliases.latest(change.after) !== before) return undefined;
    entries.push(other);
    if (change.kind === 'update' && isKept(change))
      return {
        entries,
        changes: [newest.kind === 'delete' ? { ...change, kind: 'delete' } : withAfter(change, newest)],
      };
    if (change.kind === 'create' && newest.kind === 'update')
      return {
        entries,
        changes: (other.changes ?? []).map((each) => (each === change ? withAfter(each, newest) : each)),
      };
    if (change.kind !== 'update' && change.kind !== 'append') return undefined;
    ({ before } = change);
  }
  return undefined;
}

function withAfter(change: Change, { after }: Change): Change {
  const { after: _, ...rest } = change;
  return after === undefined ? rest : { ...rest, after };
}

/** The change of a call that changed one file, besides directories that it made for it. */
function fileChange({ changes = [] }: ActivityEntry): Change | undefined {
  const [change, ...others] = changes.filter(({ kind }) => kind !== 'mkdir');
  return others.length > 0 || change?.tree !== undefined ? undefined : change;
}

/** The paths that a call changed, without created parent directories, which are removed only if empty. */
export function touchedBy({ changes = [] }: Pick<ActivityEntry, 'changes'>): string[] {
  return changes.flatMap(({ kind, path, to }) => (kind === 'mkdir' ? [] : to === undefined ? path : [path, to]));
}

/** Whether two paths are equal or one is below the other. */
export function isOnOneWay(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
