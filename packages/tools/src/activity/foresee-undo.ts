import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, type Workspace, WorkspaceError, isSameButMoved } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import { restoredVersions } from './restored-versions.ts';
import { isOnOneWay, known, touchedBy } from './undo.ts';

/**
 * Predicts which of these calls {@link undoEntries} could not undo now. Returns the reasons by entry id. Changes nothing. Does not
 * check a path that a newer one of these calls also changed, because its state depends on undoing that call first.
 */
export async function foreseeUndo(
  workspace: Workspace,
  activity: Activity,
  chosen: readonly ActivityEntry[],
): Promise<ReadonlyMap<string, string>> {
  const aliases = restoredVersions(activity.entries());
  const problems = new Map<string, string>();
  const stuck: string[] = [];
  const takenBack: string[] = [];
  for (const entry of chosen) {
    const touched = touchedBy(entry);
    const blocked = touched.find((path) => stuck.some((other) => isOnOneWay(path, other)));
    let problem = blocked === undefined ? undefined : `A newer change at ${blocked} would not be undone`;
    for (const change of [...(entry.changes ?? [])].reverse()) {
      const places = [change.path, ...(change.to === undefined ? [] : [change.to])];
      const isOpen = places.some((path) => takenBack.some((other) => isOnOneWay(path, other)));
      if (!isOpen) problem ??= await problemOf(workspace, activity, known(change, aliases));
      takenBack.push(...places);
    }
    if (problem === undefined) continue;
    problems.set(entry.id, problem);
    stuck.push(...touched);
  }
  return problems;
}

/** The reason why this change cannot be undone now; undefined if it can. */
async function problemOf(workspace: Workspace, { trashDir }: Activity, change: Change): Promise<string | undefined> {
  const { kind, path, after, tree, trash } = change;
  if (kind === 'mkdir') return undefined;
  if (
    (kind === 'update' || kind === 'delete') &&
    !(trash !== undefined && lstatSync(join(trashDir, trash), { throwIfNoEntry: false }))
  )
    return `The old content of ${path} was not kept`;
  const place = change.to ?? path;
  const now = infoOf(workspace, place);
  if (kind === 'delete') return now && `Something new exists at ${path}`;
  if (!now) return `${place} is no longer there`;
  const isOther =
    now.realPath !== undefined ||
    (after !== undefined && !isSameButMoved(now.version, after)) ||
    (kind === 'create' && tree !== undefined && (await workspace.digest(place)) !== tree);
  if (isOther) return `${place} was changed since`;
  return kind === 'move' && infoOf(workspace, path) ? `Something new exists at ${path}` : undefined;
}

function infoOf(workspace: Workspace, path: string): ReturnType<Workspace['info']> | undefined {
  try {
    return workspace.info(path, { itself: true });
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}
