import { type Failure, type Json, type RunEvent, type Tokens, withLogLine } from '@croft/flow';

/** A loop with more rounds shows its first ones. */
const MAX_ENTRIES = 1_000;
/** Inputs, outputs and lines of logs after this many characters are left out; times and states stay. */
const MAX_CHARS = 1_000_000;

/** A node's part of a run. Inputs, outputs and the log are bounded and redacted, as events have them. */
export interface TimelineEntry {
  readonly node: string;
  /** Which rounds of loops it ran in. */
  readonly path: string;
  status: 'running' | 'finished' | 'failed' | 'pruned' | 'cancelled';
  /** Milliseconds from the start of the run to the start of the node; absent where it did not start. */
  startedMs?: number;
  ms?: number;
  /** Of a queued run: starts of the node, more than one after a restart. */
  starts?: number;
  inputs?: Json;
  outputs?: Json;
  /** Its log since its latest start: the first 100 lines. */
  log?: readonly string[];
  tokens?: Tokens;
  failure?: Failure;
}

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  /** Whether entries, inputs, outputs or lines of logs were left out. */
  readonly isCut: boolean;
}

/** A timeline that has entries already, with the same bounds. */
export function boundedTimeline(entries: readonly TimelineEntry[], isCut: boolean): Timeline {
  let room = MAX_CHARS;
  let leftOut = isCut || entries.length > MAX_ENTRIES;
  const bounded = entries.slice(0, MAX_ENTRIES).map(({ inputs, outputs, log, ...entry }) => {
    const fits = (value: unknown): boolean => {
      room -= value === undefined ? 0 : JSON.stringify(value).length;
      leftOut ||= room < 0;
      return room >= 0;
    };
    return {
      ...entry,
      ...(inputs !== undefined && fits(inputs) && { inputs }),
      ...(outputs !== undefined && fits(outputs) && { outputs }),
      ...(log !== undefined && fits(log) && { log }),
    };
  });
  return { entries: bounded, isCut: leftOut };
}

/** Collects the timeline of a run from its events. */
export function createTimeline(now: () => number = () => performance.now()): {
  add(event: RunEvent): void;
  read(): Timeline;
} {
  const started = now();
  const entries = new Map<string, TimelineEntry>();
  let room = MAX_CHARS;
  let isCut = false;
  // Events of nodes that do not wait come together after all of them: a node starts when the one before it ended.
  let lastEnd = 0;
  const fits = (value: Json): boolean => {
    room -= JSON.stringify(value).length;
    isCut ||= room < 0;
    return room >= 0;
  };
  const entryOf = (node: string, path: string): TimelineEntry | undefined => {
    const key = `${node}/${path}`;
    let entry = entries.get(key);
    if (entry !== undefined) return entry;
    isCut ||= entries.size >= MAX_ENTRIES;
    if (entries.size >= MAX_ENTRIES) return undefined;
    entry = { node, path, status: 'running' };
    entries.set(key, entry);
    return entry;
  };
  // A component that was left out of the run has a line and no entry.
  const addLine = (entry: TimelineEntry | undefined, text: string): void => {
    if (entry === undefined) return;
    const log = withLogLine(entry.log, text);
    if (log !== entry.log && fits(text)) entry.log = log;
  };
  return {
    add(event) {
      if (!('path' in event)) return;
      if (event.kind === 'log') return addLine(entries.get(`${event.node}/${event.path}`), event.text);
      if (!event.kind.startsWith('node_')) return;
      const entry = entryOf(event.node, event.path);
      if (entry === undefined) return;
      if (event.kind === 'node_started') {
        entry.status = 'running';
        entry.startedMs = roundMs(Math.max(now() - started, lastEnd));
        if (fits(event.inputs)) entry.inputs = event.inputs;
        delete entry.log;
      } else if (event.kind === 'node_finished') {
        entry.status = 'finished';
        entry.ms = event.ms;
        lastEnd = Math.max(lastEnd, (entry.startedMs ?? 0) + event.ms);
        if (fits(event.outputs)) entry.outputs = event.outputs;
        if (event.tokens !== undefined) entry.tokens = event.tokens;
      } else if (event.kind === 'node_failed') {
        entry.status = 'failed';
        entry.ms = event.ms;
        entry.failure = event.failure;
        lastEnd = Math.max(lastEnd, (entry.startedMs ?? 0) + event.ms);
      } else if (event.kind === 'node_pruned') entry.status = 'pruned';
      else if (event.kind === 'node_cancelled') entry.status = 'cancelled';
    },
    read: () => ({ entries: [...entries.values()], isCut }),
  };
}

const roundMs = (ms: number): number => Math.round(ms * 10) / 10;
