import { type Change, type ChangeJournal, osReason, WorkspaceError } from '@croft/workspace';
import { type ActivityEntry, type Actor, recordedActor } from './activity-entry.ts';
import { clean } from './printable-text.ts';

/** A call whose record begins. The functions are called when a line is written, so never for an unrecorded call. */
export interface StartedCall {
  readonly tool: string;
  readonly actor: Actor;
  /** Epoch milliseconds. */
  readonly started: number;
  /** Paths as the caller wrote them. */
  readonly paths: () => readonly string[];
  readonly pattern?: () => string | undefined;
}

/** How a call ended. */
export interface FinishedCall {
  /** `ok`, or the code of the failure. */
  readonly outcome: string;
  readonly changes?: readonly Change[] | undefined;
  readonly bytes?: number | undefined;
}

/** Of an undo: see {@link ActivityEntry}. */
export type UndoFields = Pick<ActivityEntry, 'undoes' | 'aliases' | 'restored'>;

/**
 * The record of one call. A change is recorded before it is made: the last line with an id is its entry. If the log cannot be
 * written, `intend` throws, so that the change is not made, and `finish` throws the cause.
 */
export interface PendingRecord extends ChangeJournal {
  readonly id: string;
  intend(changes: readonly Change[], fields?: UndoFields): void;
  finish(call: FinishedCall, fields?: UndoFields): void;
}

/** Writes lines to the logs. Both functions throw Node's errors. */
export interface RecordSink {
  newId(): string;
  writeChange(entry: ActivityEntry): void;
  /** May write the line later, together with others. */
  writeRead(entry: ActivityEntry): void;
}

/** Begins a record. Nothing is written before the first change or the end of the call. */
export function beginRecord(sink: RecordSink, call: StartedCall): PendingRecord {
  const id = sink.newId();
  let written: ActivityEntry | undefined;
  let state: 'open' | 'intended' | 'made' | 'withdrawn' = 'open';
  let isFinished = false;
  let failure: unknown;
  const entryOf = ({ outcome, changes, bytes }: FinishedCall, fields?: UndoFields): ActivityEntry => {
    const pattern = call.pattern?.();
    return {
      id,
      time: new Date().toISOString(),
      actor: recordedActor(call.actor),
      tool: clean(call.tool),
      paths: call.paths(),
      ...(pattern !== undefined && { pattern }),
      outcome,
      ...(bytes !== undefined && { bytes }),
      durationMs: Date.now() - call.started,
      ...(changes !== undefined && changes.length > 0 && { changes }),
      ...fields,
    };
  };
  const write = (entry: ActivityEntry): void => {
    written = entry;
    try {
      sink.writeChange(entry);
    } catch (error) {
      failure = error;
    }
  };
  return {
    id,
    intend(changes, fields) {
      const entry = entryOf({ outcome: 'ok', changes, bytes: bytesOf(changes) }, fields);
      try {
        sink.writeChange(entry);
      } catch (error) {
        failure = error;
        throw notRecorded(error);
      }
      state = 'intended';
      written = entry;
    },
    done() {
      state = 'made';
    },
    withdraw() {
      if (state !== 'intended') return;
      state = 'withdrawn';
      // A cancelled call already has its result.
      if (isFinished) write(entryOf({ outcome: 'refused' }));
    },
    finish(finished, fields) {
      isFinished = true;
      const isOnRecord = written !== undefined && state !== 'withdrawn';
      if (isOnRecord && (fields === undefined || isSame(fields, written))) {
        // The change was made, also if the call failed afterwards.
      } else if (written === undefined && !finished.changes?.length) sink.writeRead(entryOf(finished, fields));
      else
        write(entryOf({ ...finished, ...(isOnRecord && { changes: finished.changes ?? written?.changes }) }, fields));
      if (failure !== undefined) throw failure;
    },
  };
}

const undoFields = ({ undoes, aliases, restored }: UndoFields = {}) => [undoes, aliases, restored];

function isSame(fields: UndoFields, entry: ActivityEntry | undefined): boolean {
  return JSON.stringify(undoFields(fields)) === JSON.stringify(undoFields(entry));
}

function notRecorded(cause: unknown): WorkspaceError {
  return new WorkspaceError(
    'io',
    `Nothing was changed, because the activity log cannot be written (${osReason(cause)}). The operator has to free space or make Croft's base directory writable.`,
    { cause },
  );
}

/** The bytes that a call wrote. */
function bytesOf(changes: readonly Change[]): number | undefined {
  const written = changes.filter(({ kind }) => kind === 'create' || kind === 'update' || kind === 'append');
  return written.at(-1)?.bytes;
}
