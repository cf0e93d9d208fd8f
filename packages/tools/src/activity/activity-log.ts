import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';
import { type ActivityEntry, readEntry, toChangeLine, toReadLine } from './activity-entry.ts';
import { beginRecord, type PendingRecord, type StartedCall } from './pending-record.ts';
import { openRollingLog, readLines } from './rolling-log.ts';
import { abandonedSessions, beginSession, type OpenSession, type Session } from './sessions.ts';

/** The activity of one workspace: append-only logs and the trash beside them, where no agent can reach. */
export interface Activity {
  /** Holds the logs. */
  readonly directory: string;
  readonly trashDir: string;
  /** Begins the record of a call. */
  begin(call: StartedCall): PendingRecord;
  /** Writes an entry at once; the last one with an id counts. Throws Node's errors. */
  write(entry: ActivityEntry): void;
  /** Oldest first; bounded by the files that are kept. A damaged line is left out. */
  entries(): readonly ActivityEntry[];
  /** How many entries the bounds have dropped: of calls that changed something, and of others. */
  dropped(): { readonly changes: number; readonly reads: number };
  /** Processes that ended without closing the log: see `reconcile`. */
  abandonedSessions(): readonly Session[];
  close(): void;
}

/** Where the activity of a workspace is below Croft's base directory. Its name tells nothing but equality. */
export function activityDir(baseDir: string, workspaceRoot: string): string {
  return join(baseDir, 'activity', createHash('sha256').update(workspaceRoot).digest('hex').slice(0, 16));
}

/** Files of versions that kept changes and reads in one log. Read, and removed when the changes fill their first file. */
const OLD_LOG = /^log\.\d{1,9}\.ndjson$/;

/** Characters of records that wait for the end of the turn. */
const MAX_WAITING = 64 * 1024;

/**
 * Opens the activity of a workspace. Its directory (0700) is made with the first record. Changes and other calls have
 * logs of their own, each with its bound, so that no number of reads drops a change. Several processes may share them.
 */
export function openActivity(baseDir: string, workspaceRoot: string): Activity {
  const directory = activityDir(baseDir, workspaceRoot);
  const sessionId = randomBytes(4).toString('hex');
  let session: OpenSession | undefined;
  const changes = openRollingLog(directory, 'changes', idOf, () => removeOld(directory));
  const reads = openRollingLog(directory, 'reads', idOf);
  let isReady = false;
  let counter = 0;
  const prepare = (): void => {
    if (isReady) return;
    makeDirs(directory);
    writeFileSync(join(directory, 'workspace.json'), `${JSON.stringify({ root: workspaceRoot })}\n`, { mode: 0o600 });
    isReady = true;
  };
  let waiting = '';
  let failure: unknown;
  /** Calls that changed nothing are written in one go, when their answers are out. */
  const flush = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    try {
      prepare();
      reads.append(lines);
    } catch (error) {
      // Reported with the next call: there is no caller here.
      failure = error;
    }
  };
  const write = (entry: ActivityEntry): void => {
    flush();
    prepare();
    session ??= beginSession(directory, sessionId);
    session.touch();
    changes.append(toChangeLine(entry));
  };
  const sink = {
    newId: () => `${Date.now().toString(36)}-${sessionId}-${(counter++).toString(36)}`,
    writeChange: write,
    writeRead(entry: ActivityEntry) {
      if (waiting === '') setImmediate(flush);
      waiting += toReadLine(entry);
      if (waiting.length > MAX_WAITING) flush();
      const cause = failure;
      failure = undefined;
      if (cause !== undefined) throw cause;
    },
  };
  return {
    directory,
    trashDir: join(directory, 'trash'),
    begin: (call) => beginRecord(sink, call),
    write,
    entries() {
      flush();
      return merge([...oldLines(directory), ...reads.read().lines, ...changes.read().lines]);
    },
    dropped: () => ({ changes: changes.read().dropped, reads: reads.read().dropped }),
    abandonedSessions: () => abandonedSessions(directory),
    close() {
      flush();
      session?.end();
      session = undefined;
      changes.close();
      reads.close();
    },
  };
}

/** One entry an id: its last line. */
function merge(lines: readonly unknown[]): ActivityEntry[] {
  const entries = new Map<string, ActivityEntry>();
  for (const line of lines) {
    const entry = readEntry(line);
    if (!entry) continue;
    // In the order of the last lines, which is that of the changes.
    entries.delete(entry.id);
    entries.set(entry.id, entry);
  }
  // Several processes write at the same time.
  return [...entries.values()].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

function idOf(line: unknown): string | undefined {
  return readEntry(line)?.id;
}

function oldFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => OLD_LOG.test(name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

function oldLines(directory: string): unknown[] {
  return oldFiles(directory).flatMap(readLines);
}

/** @returns how many changes were on record in the files that are removed */
function removeOld(directory: string): number {
  const changed = merge(oldLines(directory)).filter(({ changes }) => changes !== undefined);
  for (const file of oldFiles(directory)) unlinkSync(file);
  return changed.length;
}
