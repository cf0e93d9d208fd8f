import { expect, it } from 'vitest';
import type { TimelineEntry } from '../api/runs.ts';
import { ganttOf } from './gantt.ts';

const entry = (node: string, values: Partial<TimelineEntry>): TimelineEntry => ({
  node,
  path: '',
  status: 'finished',
  ...values,
});
const bars = (timeline: readonly TimelineEntry[], elapsedMs?: number) =>
  ganttOf(timeline, elapsedMs).rows.map(({ bar }) => bar && [Math.round(bar.left), Math.round(bar.width)]);

it('places nodes on one scale that begins with the first of them', () => {
  const timeline = [
    entry('a', { startedMs: 1_000, ms: 100 }),
    entry('b', { startedMs: 1_100, ms: 300 }),
    entry('c', { startedMs: 1_100, ms: 100 }),
    entry('d', { status: 'pruned' }),
  ];
  expect(ganttOf(timeline).totalMs).toBe(400);
  expect(bars(timeline)).toEqual([[0, 25], [25, 75], [25, 25], undefined]);
});

it('lets a node that runs last until now, and shows nodes that took no time', () => {
  const timeline = [entry('a', { startedMs: 0, ms: 0 }), entry('b', { startedMs: 0, status: 'running' })];
  expect(bars(timeline, 500)).toEqual([
    [0, 1],
    [0, 100],
  ]);
  expect(bars([entry('a', { startedMs: 5, ms: 0 })])).toEqual([[0, 1]]);
  expect(ganttOf([])).toEqual({ rows: [], totalMs: 0 });
});
