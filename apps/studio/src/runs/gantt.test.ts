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

it('keeps bars visible at the end, and nodes that have not ended at their start', () => {
  const exact = (timeline: readonly TimelineEntry[], elapsedMs?: number) =>
    ganttOf(timeline, elapsedMs).rows.map(({ bar }) => bar);
  const last = [entry('a', { startedMs: 0, ms: 100 }), entry('b', { startedMs: 100, ms: 0 })];
  expect(exact(last)).toEqual([
    { left: 0, width: 100 },
    { left: 99.4, width: 0.6 },
  ]);
  const running = [entry('a', { startedMs: 50, ms: 50 }), entry('b', { startedMs: 75, status: 'running' })];
  expect(exact(running)[1]).toEqual({ left: 50, width: 0.6 });
  expect(exact(running, 60)[1]).toEqual({ left: 50, width: 0.6 });
  expect(exact(running, 150)[1]).toEqual({ left: 25, width: 75 });
  expect(exact([entry('a', { startedMs: 5, status: 'waiting' as never })], 100)).toEqual([{ left: 0, width: 0.6 }]);
  expect(ganttOf([entry('a', { startedMs: 5, ms: 0 })]).totalMs).toBe(1);
  expect(ganttOf([entry('a', {})]).totalMs).toBe(0);
});
