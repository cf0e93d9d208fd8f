import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, type Workspace, WorkspaceError, isSameButMoved } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import { restoredVersions } from './restored-versions.ts';
import { openTakenBack } from './taken-back.ts';
import { known } from './undo.ts';
import { isOnOneWay, touchedBy, undoSteps } from './undo-steps.ts';

/**
 * Predicts which of these calls {@link undoEntries} could not undo now. Returns the reasons by entry id. Changes nothing. Of a
 * path that a newer one of these calls also changed, checks only the trash, because its state depends on undoing that call first.
 *
 * @param entries all of the log, where the caller has read it
 */
export async function foreseeUndo(
  workspace: Workspace,
  activity: Activity,
  chosen: readonly ActivityEntry[],
  entries: readonly ActivityEntry[] = activity.entries(),
): Promise<ReadonlyMap<string, string>> {
  const aliases = restoredVersions(entries);
  const isTakenBack = openTakenBack(workspace, entries);
  const problems = new Map<string, string>();
  const stuck: string[] = [];
  const takenBack: string[] = [];
  for (const step of undoSteps(chosen, activity, aliases)) {
    const touched = touchedBy(step);
    const blocked = touched.find((path) => stuck.some((other) => isOnOneWay(path, other)));
    let problem = blocked === undefined ? undefined : `A newer change at ${blocked} would not be undone`;
    for (const change of [...step.changes].reverse()) {
      const places = [change.path, ...(change.to === undefined ? [] : [change.to])];
      const isOpen = places.some((path) => takenBack.some((other) => isOnOneWay(path, other)));
      const own =
        notKept(activity, change) ?? (isOpen ? undefined : await problemOf(workspace, known(change, aliases)));
      if (own !== undefined && !(await isTakenBack(change))) problem ??= own;
      takenBack.push(...places);
    }
    if (problem === undefined) continue;
    for (const { id } of step.entries) problems.set(id, problem);
    stuck.push(...touched);
  }
  return problems;
}

function notKept({ trashDir }: Activity, { kind, path, trash }: Change): string | undefined {
  if (kind !== 'update' && kind !== 'delete') return undefined;
  const isKept = trash !== undefined && lstatSync(join(trashDir, trash), { throwIfNoEntry: false }) !== undefined;
  return isKept ? undefined : `The old content of ${path} was not kept`;
}

/** The reason why this change cannot be undone now; undefined if it can. */
async function problemOf(workspace: Workspace, change: Change): Promise<string | undefined> {
  const { kind, path, after, tree } = change;
  if (kind === 'mkdir') return undefined;
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
