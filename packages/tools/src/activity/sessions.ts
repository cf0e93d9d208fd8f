import { closeSync, lstatSync, openSync, readdirSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessGone, processName } from '@croft/workspace';

/** The mark of a process that records changes: a file that the process removes when it closes the log. */
export interface Session {
  /** Part of the ids of its entries. */
  readonly id: string;
  end(): void;
}

/** A session of a process that ended. */
export interface AbandonedSession extends Session {
  /** Epoch milliseconds. Its last record is not older, and at most ten minutes younger. */
  readonly lastSeenMs: number;
}

/** A session of this process. */
export interface OpenSession extends Session {
  /** Called with each change. */
  touch(): void;
}

const NAME = /^session\.([0-9a-f]{8})\.(\d+-[0-9a-z]+-[0-9a-f]{8})$/;
/** How often the file's time is renewed. Processes in other containers see from it that this process is alive. */
const TOUCH_MS = 10 * 60 * 1_000;

/** Marks that this process records changes in an existing directory. Throws Node's errors. */
export function beginSession(directory: string, id: string): OpenSession {
  const file = join(directory, `session.${id}.${processName()}`);
  closeSync(openSync(file, 'w', 0o600));
  let touched = Date.now();
  return {
    id,
    touch() {
      if (Date.now() - touched < TOUCH_MS) return;
      touched = Date.now();
      utimesSync(file, new Date(), new Date());
    },
    end: () => removeQuietly(file),
  };
}

/** The sessions of processes that ended without closing the log. Their last changes may not have been made. */
export function abandonedSessions(directory: string): readonly AbandonedSession[] {
  return namesIn(directory).flatMap((name) => {
    const [, id, process] = NAME.exec(name) ?? [];
    const file = join(directory, name);
    const lastSeen = () => lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (id === undefined || process === undefined || !isProcessGone(process, lastSeen)) return [];
    return [{ id, lastSeenMs: lastSeen() ?? 0, end: () => removeQuietly(file) }];
  });
}

/** The session of an entry; `undefined` for entries of earlier versions. */
export function sessionOf(entryId: string): string | undefined {
  return entryId.split('-')[1];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // The directory does not exist yet.
    return [];
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process removed it, or this one has no right to.
  }
}
