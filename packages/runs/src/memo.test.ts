import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { LostRun } from './event-store.ts';
import { rememberOnce } from './memo.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

const remember = (runId: string, attempt: number, key: string, make: () => unknown) =>
  rememberOnce(runs.store.pool, runs.store.sealer, { runId, attempt }, key, make);

it('gives the first value of a key, also to the next attempt, and does not store it in the open', async () => {
  await runs.add('memo-1');
  await runs.store.claim({ runId: 'memo-1', attempt: 1 }, 'worker');
  expect(await remember('memo-1', 1, 'id', () => ({ id: 'canary' }))).toEqual({ id: 'canary' });
  const unused = () => {
    throw new Error('made again');
  };
  expect(await remember('memo-1', 1, 'id', unused)).toEqual({ id: 'canary' });
  expect(await remember('memo-1', 1, 'other', () => 2)).toBe(2);
  await runs.store.continueRun(runs.engine, 'memo-1', 'running');
  await runs.store.claim({ runId: 'memo-1', attempt: 2 }, 'worker');
  expect(await remember('memo-1', 2, 'id', () => 'another')).toEqual({ id: 'canary' });
  const { rows } = await runs.store.pool.query("SELECT value FROM croft_runs.memo WHERE run_id = 'memo-1'");
  expect(JSON.stringify(rows)).not.toContain('canary');
});

it('stores nothing for an attempt that has not the run', async () => {
  await runs.add('memo-2');
  await expect(remember('memo-2', 1, 'id', () => 1)).rejects.toThrow(LostRun);
  await runs.store.claim({ runId: 'memo-2', attempt: 1 }, 'worker');
  await expect(remember('memo-2', 2, 'id', () => 1)).rejects.toThrow(LostRun);
});

it('gives the stored value where another statement stored one meanwhile', async () => {
  await runs.add('memo-3');
  await runs.store.claim({ runId: 'memo-3', attempt: 1 }, 'worker');
  const both = await Promise.all(['a', 'b'].map((value) => remember('memo-3', 1, 'id', () => value)));
  expect(both[0]).toBe(both[1]);
});
