import { randomBytes } from 'node:crypto';
import type { Decision } from '../decision.ts';
import { createDecisionCounters, type DecisionTotals } from './decision-counters.ts';
import { MAX_FILE_BYTES, openDecisionFile } from './decision-file.ts';
import { type DecisionContext, type DecisionRecord, toRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

/** Which decisions are asked for; what is absent takes all. */
export interface DecisionFilter {
  readonly tool?: string | undefined;
  readonly agent?: string | undefined;
  readonly decision?: 'allow' | 'block' | undefined;
  /** The id of a record, or a time (ISO 8601): only what came after it. */
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
}

/** Where decisions are kept, and how many. */
export interface DecisionLogOptions {
  /** The directory of the files; without one decisions are kept in memory alone. */
  readonly dir?: string | undefined;
  /** Size at which the next file is begun. */
  readonly maxFileBytes?: number;
  /** Records kept in memory. */
  readonly maxRecords?: number;
  /** Told once, when a record could not be written. */
  readonly onError?: (error: Error) => void;
  readonly now?: () => number;
}

/** The record of what a guard decided. */
export interface DecisionLog {
  /** Keeps a decision. Never throws, and changes nothing about the decision: what cannot be written is counted and told. */
  record(decision: Decision, context: DecisionContext): DecisionRecord;
  /** Newest first. With a directory also what other doors wrote there, and what was there before the start. */
  recent(filter?: DecisionFilter): readonly DecisionRecord[];
  /** What this process decided, in numbers. */
  readonly totals: DecisionTotals;
  /** Counts a request that did not reach its upstream; there is no call in it to keep. */
  unreachable(): void;
  /** The same as Prometheus reads it. */
  metrics(): string;
  close(): void;
}

const MAX_RECORDS = 1_000;
/** After a failure the file is left alone for as long: a full disk must not cost every call a system call. */
const REST_MS = 1_000;
/** Lines of allowed calls that wait to be written together. */
const MAX_WAITING_CHARS = 256 * 1024;

/**
 * Opens a log of decisions: a bounded list in memory, counters, and files of NDJSON (0600, 8 MiB, two kept). A blocked
 * call is written before `record` returns; allowed ones are written together when their answers are out. A log that is
 * full or cannot be written stops no allowed call and lets no blocked one pass.
 */
export function createDecisionLog(options: DecisionLogOptions = {}): DecisionLog {
  const { dir, maxFileBytes = MAX_FILE_BYTES, maxRecords = MAX_RECORDS, onError, now = Date.now } = options;
  const file = dir === undefined ? undefined : openDecisionFile(dir, maxFileBytes);
  const counters = createDecisionCounters();
  // Ids begin with it: what this process wrote is not read back.
  const writer = randomBytes(6).toString('base64url').replace(/\W/g, '0');
  const list: DecisionRecord[] = [];
  let count = 0;
  let waiting = '';
  let waitingCount = 0;
  let failedAt: number | undefined;
  let isTold = false;
  let isClosed = false;

  const fail = (error: unknown, lost: number): void => {
    counters.countUnwritten(lost);
    failedAt = now();
    if (isTold) return;
    isTold = true;
    try {
      onError?.(error instanceof Error ? error : new Error(String(error)));
    } catch {
      // Nobody is left to be told.
    }
  };
  const write = (): void => {
    const lines = waiting;
    const lost = waitingCount;
    waiting = '';
    waitingCount = 0;
    if (file === undefined || lines === '') return;
    if (failedAt !== undefined && Math.abs(now() - failedAt) < REST_MS) return counters.countUnwritten(lost);
    try {
      file.append(lines);
      failedAt = undefined;
    } catch (error) {
      fail(error, lost);
    }
  };
  const trim = (): void => {
    if (list.length > maxRecords) list.splice(0, list.length - maxRecords);
  };
  const keep = (record: DecisionRecord): void => {
    // Many at a time: each cut moves all that is left.
    if (list.push(record) >= maxRecords * 2) trim();
  };
  const readOthers = (): void => {
    if (file === undefined || isClosed) return;
    let lines: readonly string[];
    try {
      lines = file.readNew();
    } catch {
      // What cannot be read back is still in the file; this process has its own list.
      return;
    }
    const others = lines.slice(-maxRecords).flatMap((line) => foreign(line, `${writer}-`));
    if (others.length === 0) return;
    list.push(...others);
    list.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  };

  return {
    record(decision, context) {
      const record = toRecord(decision, context, `${writer}-${(count++).toString(36)}`, now());
      counters.count(record);
      keep(record);
      if (file === undefined || isClosed) return record;
      if (waiting === '' && decision.decision === 'allow') setImmediate(write);
      waiting += `${JSON.stringify(record)}\n`;
      waitingCount++;
      if (decision.decision === 'block' || waiting.length > MAX_WAITING_CHARS) write();
      return record;
    },
    recent(filter = {}) {
      write();
      readOthers();
      trim();
      return select(list, filter);
    },
    totals: counters.totals,
    unreachable: () => counters.countUnreachable(),
    metrics: () => counters.text(),
    close() {
      if (isClosed) return;
      write();
      isClosed = true;
      try {
        file?.close();
      } catch {
        // Closed is closed.
      }
    },
  };
}

/** What somebody else wrote on this line; nothing for a damaged one and for our own. */
function foreign(line: string, own: string): readonly DecisionRecord[] {
  const record = parseRecord(line);
  return record === undefined || record.id.startsWith(own) ? [] : [record];
}

function select(list: readonly DecisionRecord[], filter: DecisionFilter): readonly DecisionRecord[] {
  const { tool, agent, decision, since, limit = 200 } = filter;
  const known = since === undefined ? -1 : list.findLastIndex(({ id }) => id === since);
  const sinceMs = since !== undefined && known === -1 ? Date.parse(since) : Number.NaN;
  const chosen: DecisionRecord[] = [];
  for (let i = list.length - 1; i > known && chosen.length < limit; i--) {
    const record = list[i] as DecisionRecord;
    if (!Number.isNaN(sinceMs) && Date.parse(record.time) <= sinceMs) continue;
    if (tool !== undefined && record.tool !== tool) continue;
    if (agent !== undefined && (record.agent ?? '') !== agent) continue;
    if (decision !== undefined && record.decision !== decision) continue;
    chosen.push(record);
  }
  return chosen;
}
