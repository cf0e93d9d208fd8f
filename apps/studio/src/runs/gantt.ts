import type { TimelineEntry } from '../api/runs.ts';

/** A node of a timeline with the place of its bar, in percent of the whole. */
export interface GanttRow {
  readonly entry: TimelineEntry;
  /** Absent where the node did not start. */
  readonly bar?: { readonly left: number; readonly width: number };
}

const MIN_WIDTH = 0.6;

/**
 * Places the nodes of a run beside each other on one scale. `elapsedMs` is the time since the start of a run that has not
 * ended: nodes that run last until then.
 */
export function ganttOf(
  timeline: readonly TimelineEntry[],
  elapsedMs?: number,
): { readonly rows: readonly GanttRow[]; readonly totalMs: number } {
  const endOf = ({ status, startedMs = 0, ms }: TimelineEntry) =>
    startedMs + (ms ?? (status === 'running' && elapsedMs !== undefined ? Math.max(0, elapsedMs - startedMs) : 0));
  const started = timeline.filter(({ startedMs }) => startedMs !== undefined);
  const from = started.reduce((least, { startedMs = 0 }) => Math.min(least, startedMs), Number.POSITIVE_INFINITY);
  const until = started.reduce((most, entry) => Math.max(most, endOf(entry)), 0);
  // The time before the first node is a wait for a place in the queue.
  const totalMs = started.length === 0 ? 0 : Math.max(1, until - from);
  return {
    totalMs,
    rows: timeline.map((entry) => {
      if (entry.startedMs === undefined) return { entry };
      const width = Math.max(MIN_WIDTH, (100 * (endOf(entry) - entry.startedMs)) / totalMs);
      return { entry, bar: { left: Math.min((100 * (entry.startedMs - from)) / totalMs, 100 - MIN_WIDTH), width } };
    }),
  };
}
