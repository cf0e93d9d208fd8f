import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { eventStore, lastEvent, LostRun } from './event-store.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

const entries = (...texts: string[]) => texts.map((data) => ({ data }));
const writer = (runId: string, attempt = 1) => eventStore(runs.store.pool, runs.store.sealer, { runId, attempt });
const reader = () => eventStore(runs.store.pool, runs.store.sealer);

it('reads the events after a number, across batches, and none of another run', async () => {
  for (const id of ['ev-1', 'ev-other']) await runs.add(id);
  await writer('ev-1').append('ev-1', 1, entries('a', 'b'));
  await writer('ev-1').append('ev-1', 3, entries('c'));
  await writer('ev-other').append('ev-other', 1, entries('x'));
  expect(await reader().read('ev-1', 0, 10)).toEqual({ first: 1, entries: entries('a', 'b', 'c') });
  expect(await reader().read('ev-1', 1, 10)).toEqual({ first: 1, entries: entries('a', 'b', 'c') });
  expect(await reader().read('ev-1', 2, 10)).toEqual({ first: 3, entries: entries('c') });
  expect(await reader().read('ev-1', 0, 2)).toEqual({ first: 1, entries: entries('a', 'b') });
  expect(await lastEvent(runs.store.pool, 'ev-1')).toBe(3);
});

it('tells a reader that waits for the next event from one with a number that no event had', async () => {
  await runs.add('ev-2');
  expect(await lastEvent(runs.store.pool, 'ev-2')).toBe(0);
  expect(await reader().read('ev-2', 0, 10)).toEqual({ first: 1, entries: [] });
  expect(await reader().read('ev-2', 1, 10)).toBe('gone');
  await writer('ev-2').append('ev-2', 1, entries('a'));
  expect(await reader().read('ev-2', 1, 10)).toEqual({ first: 2, entries: [] });
  expect(await reader().read('ev-2', 2, 10)).toBe('gone');
});

it('takes a batch again whose answer was lost, and no other one in its place', async () => {
  await runs.add('ev-3');
  await writer('ev-3').append('ev-3', 1, entries('a', 'b'));
  await writer('ev-3').append('ev-3', 1, entries('a', 'b'));
  await expect(writer('ev-3').append('ev-3', 1, entries('c'))).rejects.toThrow(LostRun);
  expect(await reader().read('ev-3', 0, 10)).toEqual({ first: 1, entries: entries('a', 'b') });
});

it('takes no events of an attempt that another one has replaced', async () => {
  await runs.add('ev-4');
  await runs.store.continueRun(runs.engine, 'ev-4', 'queued');
  await expect(writer('ev-4').append('ev-4', 1, entries('late'))).rejects.toThrow(LostRun);
  await expect(reader().append('ev-4', 1, entries('nobody'))).rejects.toThrow(LostRun);
  await writer('ev-4', 2).append('ev-4', 1, entries('new'));
  expect(await reader().read('ev-4', 0, 10)).toEqual({ first: 1, entries: entries('new') });
});

it('stores events encrypted', async () => {
  await runs.add('ev-5');
  await writer('ev-5').append('ev-5', 1, entries('canary'));
  const { rows } = await runs.store.pool.query("SELECT entries FROM croft_runs.event WHERE run_id = 'ev-5'");
  expect(JSON.stringify(rows)).not.toContain('canary');
});
