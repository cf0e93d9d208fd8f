import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, errnoOf, type Workspace, WorkspaceError } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import { type AbandonedSession, sessionOf } from './sessions.ts';
import { isOnOneWay, touchedBy } from './undo-steps.ts';

/** Longest time between the record of an addition and its last byte, in milliseconds. */
const APPEND_MS = 10_000;

/** A clock may be set back by less than this while a process runs, in milliseconds. */
const CLOCK_MS = 10 * 60 * 1_000;

/**
 * Corrects the records of killed processes. A change is recorded before it is made, so the last change of such a process may not
 * have been made. This function removes it from its entry, whose outcome becomes `interrupted`. Call it before showing or
 * undoing entries. If no process was killed, it only lists one directory; else it reads the log from its end to the last record
 * of each killed process.
 */
export function reconcile(workspace: Workspace, activity: Activity): void {
  try {
    const newest = readOnce(activity.newestChanges());
    for (const session of activity.abandonedSessions()) {
      const at = findInDoubt(newest, session);
      const entry = at === undefined ? undefined : newest.at(at);
      const corrected = entry && correct(workspace, activity, entry);
      if (corrected && corrected !== entry) {
        activity.write(corrected);
        newest.replace(at as number, corrected);
      }
      session.end();
    }
  } catch (error) {
    // The log is not writable now; a later start corrects it.
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Entries, newest first, each read from the log when it is first needed. */
interface Newest {
  at(index: number): ActivityEntry | undefined;
  replace(index: number, entry: ActivityEntry): void;
}

function readOnce(source: Iterator<ActivityEntry>): Newest {
  const read: ActivityEntry[] = [];
  return {
    at(index) {
      while (read.length <= index) {
        const { done, value } = source.next();
        if (done) return undefined;
        read.push(value);
      }
      return read[index];
    },
    replace(index, entry) {
      read[index] = entry;
    },
  };
}

/**
 * Finds the newest entry of a session, if its change is in doubt. Recording and changing are one synchronous step, so all earlier
 * changes were made. If a later call of another process changed the same paths, the entry needs no correction.
 */
function findInDoubt(newest: Newest, { id, lastSeenMs }: AbandonedSession): number | undefined {
  const later: ActivityEntry[] = [];
  for (let index = 0; ; index++) {
    const entry = newest.at(index);
    // A process that was killed before its first record has no entry. The line of a corrected entry is out of order.
    if (!entry || (entry.corrected !== true && Date.parse(entry.time) < lastSeenMs - CLOCK_MS)) return undefined;
    if (entry.corrected === true && sessionOf(entry.id) === id) return undefined;
    if (entry.changes === undefined) continue;
    if (sessionOf(entry.id) !== id) later.push(entry);
    else return later.some((other) => isLaterAt(other, entry)) ? undefined : index;
  }
}

/** Whether an entry whose line comes later is a later change of the same paths. */
function isLaterAt(other: ActivityEntry, entry: ActivityEntry): boolean {
  if (other.corrected === true && other.time < entry.time) return false;
  const paths = touchedBy(other);
  return touchedBy(entry).some((path) => paths.some((each) => isOnOneWay(path, each)));
}

function correct(workspace: Workspace, activity: Activity, entry: ActivityEntry): ActivityEntry {
  const changes = entry.changes ?? [];
  const made = changes.flatMap((change) => asFound(workspace, activity, change, entry) ?? []);
  if (made.length === changes.length && made.every((change, i) => change === changes[i])) return entry;
  const { changes: _, undoes, aliases, restored, ...rest } = entry;
  const isDone = made.some(({ kind }) => kind !== 'mkdir');
  return {
    ...rest,
    corrected: true,
    outcome: isDone ? entry.outcome : 'interrupted',
    ...(made.length > 0 && { changes: made }),
    ...(undoes && { undoes: isDone ? undoes : [] }),
    ...(isDone && aliases && { aliases }),
    // The last one may be that of the change which was not made.
    ...(restored && { restored: isDone ? restored : restored.slice(0, -1) }),
  };
}

/** Like {@link asMade}, but returns the recorded change if its path cannot be read. */
function asFound(
  workspace: Workspace,
  { trashDir }: Activity,
  change: Change,
  entry: ActivityEntry,
): Change | undefined {
  try {
    if (change.kind === 'delete' && wasTaken(workspace, trashDir, change)) return change;
    return asMade(workspace, change, entry);
  } catch (error) {
    if (error instanceof WorkspaceError) return change;
    throw error;
  }
}

/** The change as it was really made; `undefined` if the path still has its old state. */
function asMade(workspace: Workspace, change: Change, entry: ActivityEntry): Change | undefined {
  const { kind, path, to, before } = change;
  const now = lookAt(workspace, to ?? path);
  switch (kind) {
    case 'create':
    case 'mkdir':
      return now && change;
    case 'update':
      return now !== undefined && now.version === before ? undefined : change;
    case 'append':
      return now !== undefined && now.version === before ? undefined : asAppended(change, now?.version, entry);
    case 'delete':
      return now !== undefined && (before === undefined || now.version === before) ? undefined : change;
    case 'move':
      return !now && lookAt(workspace, path) ? undefined : change;
  }
}

/**
 * Whether the trash has taken the deleted directory or link by a rename. Its path may have a new one, which has no version
 * to compare. A trash on another device gets a copy before the deletion, which proves nothing.
 */
function wasTaken({ root }: Workspace, trashDir: string, { before, trash }: Change): boolean {
  if (before !== undefined || trash === undefined) return false;
  const item = lstatSync(join(trashDir, trash), { throwIfNoEntry: false });
  return item !== undefined && item.dev === statSync(root, { throwIfNoEntry: false })?.dev;
}

/** A partial addition, or a complete one without its chosen modification time: the current version is the new version. */
function asAppended(change: Change, version: string | undefined, entry: ActivityEntry): Change {
  const { after, length = 0, bytes = 0 } = change;
  if (version === undefined || after === undefined || version === after) return change;
  const now = parseVersion(version);
  const isPart = now.size > length && now.size <= length + bytes && now.inode === parseVersion(after).inode;
  const isThen = Math.abs(now.micros / 1e3 - Date.parse(entry.time)) < APPEND_MS;
  return isPart && isThen ? { ...change, after: version, bytes: now.size - length } : change;
}

function parseVersion(version: string): { micros: number; size: number; inode: string } {
  const [micros = '', size = '', inode = ''] = version.split('-');
  return { micros: Number.parseInt(micros, 36), size: Number.parseInt(size, 36), inode };
}

/** @throws WorkspaceError if the path cannot be read, e.g. a protected name */
function lookAt(workspace: Workspace, path: string): { readonly version: string } | undefined {
  try {
    return workspace.info(path, { itself: true });
  } catch (error) {
    if (error instanceof WorkspaceError && (error.code === 'not_found' || error.code === 'not_directory'))
      return undefined;
    throw error;
  }
}
