import type { EventStore } from '@croft/event-log';
import { type Failure, type Json, type Tokens, withLogLine } from '@croft/flow';
import { RunError } from './errors.ts';
import { questionsOf } from './questions.ts';
import type { DurableRunEvent, DurableRunStatus, RunDetails, RunSummary } from './run.ts';
import { type RunRow, SUMMARY_COLUMNS, toSummary } from './run-row.ts';
import type { RunStore } from './run-store.ts';
import { SCHEMA } from './tables.ts';

const MAX_PAGE = 200;
/** Entries of a timeline. A loop with more rounds shows its first ones. */
const MAX_TIMELINE = 2_000;
/** Of the lines of all logs in a timeline: those of a loop of a thousand rounds can have 200 million. */
const MAX_LOG_CHARS = 1_000_000;

export interface ListRuns {
  readonly userId: string;
  readonly flowId?: string;
  readonly status?: DurableRunStatus;
  /** At most 200; 50 unless given. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface RunPage {
  /** Each with its position: a page after it continues there. */
  readonly runs: readonly (RunSummary & { readonly cursor: string })[];
  /** Absent on the last page. */
  readonly next?: string;
}

/**
 * The runs of a user, newest first. A page costs the same at any depth.
 *
 * @throws RunError `invalid_request` for a cursor that no page gave
 */
export async function listRuns({ pool, sealer }: RunStore, query: ListRuns): Promise<RunPage> {
  const limit = Math.min(Math.max(1, query.limit ?? 50), MAX_PAGE);
  const values: unknown[] = [query.userId];
  const conditions = ['user_id = $1'];
  const add = (condition: (at: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (query.flowId !== undefined) add((at) => `flow_id = ${at}`, query.flowId);
  if (query.status !== undefined) add((at) => `status = ${at}`, query.status);
  if (query.after !== undefined) {
    const [, micros, id] = /^(\d{1,18})_([\w-]{1,64})$/.exec(query.after) ?? [];
    if (micros === undefined) throw new RunError('invalid_request', 'Unknown page: use `next` of the page before.');
    const time = `to_timestamp($${values.push(micros)}::numeric / 1000000)`;
    add((at) => `(created_at, id) < (${time}, ${at})`, id);
  }
  const { rows } = await pool.query<RunRow & { micros: string }>(
    `SELECT ${SUMMARY_COLUMNS}, (extract(epoch FROM created_at) * 1000000)::bigint AS micros FROM ${SCHEMA}.run
     WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
    values,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map((row) => ({ ...toSummary(row, sealer), cursor: `${row.micros}_${row.id}` })),
    ...(rows.length > limit && last !== undefined && { next: `${last.micros}_${last.id}` }),
  };
}

/** One run of a user; undefined where the user has no such run. */
export async function findRun(store: RunStore, runId: string, userId: string): Promise<RunDetails | undefined> {
  const { pool, sealer } = store;
  const { rows } = await pool.query<RunRow & { result: string | null; undecided: string | null }>(
    `SELECT ${SUMMARY_COLUMNS}, result, undecided FROM ${SCHEMA}.run WHERE id = $1 AND user_id = $2`,
    [runId, userId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    ...toSummary(row, sealer),
    result: row.result === null ? null : (JSON.parse(sealer.open(row.result)) as { text: string; outputs: Json }),
    questions: await questionsOf(pool, sealer, runId),
    undecided: row.undecided === null ? [] : [row.undecided],
  };
}

/** A node's part of a run. */
export interface TimelineEntry {
  readonly node: string;
  /** Which rounds of loops it ran in. */
  readonly path: string;
  status: 'running' | 'finished' | 'failed' | 'pruned' | 'cancelled';
  /** Starts of the node: more than one after a lost worker. */
  starts: number;
  /** Of the latest start, in milliseconds since 1970; absent where it did not start. */
  startedAt?: number;
  inputs?: Json;
  outputs?: Json;
  /** Its log since its latest start: the first 100 lines. */
  log?: readonly string[];
  ms?: number;
  tokens?: Tokens;
  failure?: Failure;
}

export interface Timeline {
  /** In the order of their first start. */
  readonly entries: readonly TimelineEntry[];
  /** Whether there were more, or lines of logs were left out. */
  readonly isCut: boolean;
}

/** The timeline of a run's nodes, from its stored events: bounded and redacted as these are. */
export async function timelineOf(store: EventStore, runId: string): Promise<Timeline> {
  const entries = new Map<string, TimelineEntry>();
  const reading: Reading = { lastEnd: 0, logRoom: MAX_LOG_CHARS };
  let isCut = false;
  for (let after = 0; ; ) {
    const found = await store.read(runId, after, 5_000);
    if (found === 'gone' || found.entries.length === 0) return { entries: [...entries.values()], isCut };
    for (const { data } of found.entries)
      isCut = !addToTimeline(entries, JSON.parse(data) as DurableRunEvent, reading) || isCut;
    after = found.first + found.entries.length - 1;
  }
}

interface Reading {
  lastEnd: number;
  /** Characters that logs may still have. */
  logRoom: number;
}

/** Adds a line of a log. Returns false where all logs together are full. */
function addLine(entry: TimelineEntry, text: string, reading: Reading): boolean {
  const log = withLogLine(entry.log, text);
  if (log === entry.log) return true;
  if (text.length > reading.logRoom) return false;
  reading.logRoom -= text.length;
  entry.log = log;
  return true;
}

/**
 * Returns false where the timeline is full. Events of nodes that do not wait come together after all of them: a node starts
 * when the one before it ended.
 */
function addToTimeline(entries: Map<string, TimelineEntry>, event: DurableRunEvent, reading: Reading): boolean {
  if (!('path' in event)) return true;
  const { node, path } = event;
  const key = `${node}/${path}`;
  let entry = entries.get(key);
  if (event.kind === 'log') {
    // A component that was left out of the run has a line and no start.
    return entry === undefined || addLine(entry, event.text, reading);
  }
  if (entry === undefined) {
    if (entries.size >= MAX_TIMELINE) return false;
    entry = { node, path, status: 'running', starts: 0 };
    entries.set(key, entry);
  }
  if ('ms' in event && entry.startedAt !== undefined)
    reading.lastEnd = Math.max(reading.lastEnd, entry.startedAt + event.ms);
  switch (event.kind) {
    case 'node_started':
      Object.assign(entry, { status: 'running', starts: entry.starts + 1, inputs: event.inputs });
      delete entry.log;
      if ('at' in event) entry.startedAt = Math.max(event.at, reading.lastEnd);
      break;
    case 'node_finished':
      Object.assign(entry, { status: 'finished', ms: event.ms, outputs: event.outputs });
      if (event.tokens) entry.tokens = event.tokens;
      break;
    case 'node_failed':
      Object.assign(entry, { status: 'failed', ms: event.ms, failure: event.failure });
      break;
    case 'node_pruned':
      entry.status = 'pruned';
      break;
    case 'node_cancelled':
      entry.status = 'cancelled';
      break;
    default:
  }
  return true;
}
