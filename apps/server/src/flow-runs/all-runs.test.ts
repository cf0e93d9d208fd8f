import { expect, it } from 'vitest';
import { createAllRuns } from './all-runs.ts';
import type { LiveRun } from './live-runs.ts';
import type { RunHistory } from './run-history.ts';

it('shows how a run was started before the history has the run', async () => {
  const waiting = {
    id: 'waiting',
    flowId: 'flow',
    flowName: 'A flow',
    startedBy: 'assistant',
    requestedAt: new Date(0),
    isOver: () => false,
    timeline: () => undefined,
  } as Partial<LiveRun> as LiveRun;
  const history = { find: async () => undefined } as Partial<RunHistory> as RunHistory;
  const reader = () => Promise.reject(new Error('The run is not a queued one.'));
  const runs = createAllRuns(history, { find: () => waiting }, { reader });
  expect(await runs.find('ada', 'waiting')).toMatchObject({ id: 'waiting', status: 'running', startedBy: 'assistant' });
});

it('lists runs of both kinds by time in pages, and gives a cursor only where more follow', async () => {
  const summary = { flowId: 'flow', flowName: 'A flow', status: 'completed', startedBy: 'canvas' } as const;
  const direct = [3, 1].map((second) => ({ ...summary, id: `direct-${second}`, startedAt: new Date(second * 1_000) }));
  const list = async (_: string, { limit }: { limit: number }) => ({
    runs: direct.slice(0, limit),
    nextCursor: direct.length > limit ? 'more' : null,
  });
  const history = { list } as unknown as RunHistory;
  const createdAt = new Date(2_000);
  const queued = { ...summary, id: 'queued', source: 'api', createdAt, startedAt: createdAt, cursor: '2000000_queued' };
  const reader = async () => ({ list: async () => ({ runs: [queued] }) }) as never;
  const runs = createAllRuns(history, { find: () => undefined }, { reader });
  const pageOf = async (limit: number) => {
    const { runs: shown, nextCursor } = await runs.list('ada', { limit });
    return [shown.map(({ id }) => id), nextCursor !== null];
  };
  expect(await pageOf(4)).toEqual([['direct-3', 'queued', 'direct-1'], false]);
  expect(await pageOf(3)).toEqual([['direct-3', 'queued', 'direct-1'], false]);
  expect(await pageOf(2)).toEqual([['direct-3', 'queued'], true]);
});
