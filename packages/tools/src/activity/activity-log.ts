import { createHash } from 'node:crypto';
import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';
import { type ActivityEntry, readEntry, toChangeLine, toReadLine } from './activity-entry.ts';
import { beginRecord, type PendingRecord, type StartedCall } from './pending-record.ts';
import { openRollingLog, readLines } from './rolling-log.ts';
import { type AbandonedSession, abandonedSessions, beginSession, type OpenSession } from './sessions.ts';

/** The activity of one workspace: append-only logs and the trash beside them. Agents cannot access them. */
export interface Activity {
  /** Holds the logs. */
  readonly directory: string;
  readonly trashDir: string;
  /** Begins the record of a call. */
  begin(call: StartedCall): PendingRecord;
  /** Writes an entry at once. The last entry with an id replaces earlier ones. Throws Node's errors. */
  write(entry: ActivityEntry): void;
  /** The entries of the kept files, oldest first, without damaged lines. */
  entries(): readonly ActivityEntry[];
  /** The entries of calls that recorded changes, newest first. Reads only as much of the log as the caller takes. */
  newestChanges(): Generator<ActivityEntry>;
  /** How many entries were dropped because of the bounds: calls with changes, and other calls. */
  dropped(): { readonly changes: number; readonly reads: number };
  /** Processes that ended without closing the log: see `reconcile`. */
  abandonedSessions(): readonly AbandonedSession[];
  close(): void;
}

/** The directory for the activity of a workspace, below Croft's base directory. Its name is a hash of the root. */
export function activityDir(baseDir: string, workspaceRoot: string): string {
  return join(baseDir, 'activity', createHash('sha256').update(workspaceRoot).digest('hex').slice(0, 16));
}

/** Files of versions that kept changes and reads in one log. Read, and removed when the changes fill their first file. */
const OLD_LOG = /^log\.\d{1,9}\.ndjson$/;

/** Most characters of records of reads that wait to be written together. */
const MAX_WAITING = 64 * 1024;
/** How long such a record waits. A write for each one would take a sixth of the time of a small read. */
const WRITE_READS_MS = 10;

/**
 * Opens the activity of a workspace. Its directory (0700) is created with the first record. Changes and other calls have separate
 * logs with separate bounds, so that reads cannot displace changes. Several processes may share them.
 */
export function openActivity(baseDir: string, workspaceRoot: string): Activity {
  const directory = activityDir(baseDir, workspaceRoot);
  // Distinguishes processes; it does not have to be secret.
  const sessionId = Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
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
  let isClosed = false;
  /** Writes the records of calls without changes together, after their results were sent. */
  const flush = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    try {
      prepare();
      reads.append(lines);
      if (isClosed) reads.close();
    } catch (error) {
      // There is no caller here; the next call reports the error.
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
      // Not unreferenced: a process that ends by itself writes them. After `close`, the directory may soon be removed.
      if (waiting === '' && !isClosed) setTimeout(flush, WRITE_READS_MS);
      waiting += toReadLine(entry);
      if (isClosed || waiting.length > MAX_WAITING) flush();
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
    *newestChanges() {
      const seen = new Set<string>();
      for (const line of changes.fromEnd()) {
        const entry = readEntry(line);
        if (!entry || seen.has(entry.id)) continue;
        // The last line with an id is the entry.
        seen.add(entry.id);
        yield entry;
      }
    },
    dropped: () => ({ changes: changes.read().dropped, reads: reads.read().dropped }),
    abandonedSessions: () => abandonedSessions(directory),
    close() {
      isClosed = true;
      flush();
      session?.end();
      session = undefined;
      changes.close();
      reads.close();
    },
  };
}

/** Keeps one entry per id: its last line. */
function merge(lines: readonly unknown[]): ActivityEntry[] {
  const entries = new Map<string, ActivityEntry>();
  for (const line of lines) {
    const entry = readEntry(line);
    if (!entry) continue;
    // The order of the last lines is the order of the changes, but a correction comes long after its change.
    if (entry.corrected !== true) entries.delete(entry.id);
    entries.set(entry.id, entry);
  }
  // Lines of concurrent processes may be out of order.
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
