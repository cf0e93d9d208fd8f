import { randomBytes } from 'node:crypto';
import type { Decision } from '../decision.ts';
import { createDecisionCounters, type DecisionTotals } from './decision-counters.ts';
import { MAX_FILE_BYTES, openDecisionFile } from './decision-file.ts';
import { type DecisionContext, type DecisionRecord, toRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

/** Selects decisions; an absent field matches all. */
export interface DecisionFilter {
  readonly tool?: string | undefined;
  readonly agent?: string | undefined;
  readonly decision?: 'allow' | 'block' | undefined;
  /** A record id or a time (ISO 8601): selects only later records. */
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
}

/** Where decisions are stored, and how many. */
export interface DecisionLogOptions {
  /** The directory of the log files; without it, decisions are kept in memory only. */
  readonly dir?: string | undefined;
  /** File size, in bytes, at which the next file is started. */
  readonly maxFileBytes?: number;
  /** Records kept in memory. */
  readonly maxRecords?: number;
  /** Called once, when a record could not be written. */
  readonly onError?: (error: Error) => void;
  readonly now?: () => number;
}

/** The log of a guard's decisions. */
export interface DecisionLog {
  /**
   * Records a decision. Never throws and never changes the decision: a record that cannot be written is counted and
   * reported.
   */
  record(decision: Decision, context: DecisionContext): DecisionRecord;
  /** Decisions, newest first. With a directory this includes records of other processes and of earlier runs. */
  recent(filter?: DecisionFilter): readonly DecisionRecord[];
  /** Numbers of decisions of this process. */
  readonly totals: DecisionTotals;
  /** Counts a request that did not reach its upstream; it contains no tool call to record. */
  unreachable(): void;
  /** The counters in the Prometheus text format. */
  metrics(): string;
  close(): void;
}

const MAX_RECORDS = 1_000;
/** Pause after a failed write, in milliseconds: with a full disk, not every call should cost a system call. */
const REST_MS = 1_000;
/** Characters of allowed calls that may wait to be written together. */
const MAX_WAITING_CHARS = 256 * 1024;

/**
 * Opens a log of decisions: a bounded list in memory, counters, and NDJSON files (mode 0600, 8 MiB, two kept). A
 * blocked call is written before `record` returns; allowed calls are written together after their responses. A log that
 * is full or cannot be written neither stops an allowed call nor lets a blocked one pass.
 */
export function createDecisionLog(options: DecisionLogOptions = {}): DecisionLog {
  const { dir, maxFileBytes = MAX_FILE_BYTES, maxRecords = MAX_RECORDS, onError, now = Date.now } = options;
  const file = dir === undefined ? undefined : openDecisionFile(dir, maxFileBytes);
  const counters = createDecisionCounters();
  // The prefix of this process's ids: readOthers skips records that have it.
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
      // An exception of the reporter must not reach the caller.
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
    // Trim many records at a time, because each trim moves all remaining ones.
    if (list.push(record) >= maxRecords * 2) trim();
  };
  const readOthers = (): void => {
    if (file === undefined || isClosed) return;
    let lines: readonly string[];
    try {
      lines = file.readNew();
    } catch {
      // Records that cannot be read back are still in the file; this process has its own list.
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
        // Already closed.
      }
    },
  };
}

/** The record that another process wrote on this line; empty for a damaged line and for our own. */
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
