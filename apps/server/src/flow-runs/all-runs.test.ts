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
