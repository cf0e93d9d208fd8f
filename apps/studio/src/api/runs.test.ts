import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { isOpen, type RunStatus, runQuery, runsQuery } from './runs.ts';

const server = useFakeApi();

/** How long the query waits before it asks again, after an answer. */
async function intervalAfter(query: ReturnType<typeof runQuery> | ReturnType<typeof runsQuery>, answer: unknown) {
  const client = testClient();
  client.setQueryData(query.queryKey, answer as never);
  const cached = client.getQueryCache().find({ queryKey: query.queryKey });
  const { refetchInterval } = query;
  return (refetchInterval as (query: unknown) => number | false)(cached);
}

it('counts a run as open until it has ended', () => {
  const all: RunStatus[] = [
    'queued',
    'running',
    'waiting',
    'needs_attention',
    'completed',
    'failed',
    'cancelled',
    'interrupted',
  ];
  expect(all.filter(isOpen)).toEqual(['queued', 'running', 'waiting', 'needs_attention']);
});

it('reads runs page by page: all, of a flow, or in a state', async () => {
  server.answer('GET /api/v1/runs?limit=50&flow=f&status=failed', { runs: [], nextCursor: 'c2' });
  server.answer('GET /api/v1/runs?limit=50&flow=f&status=failed&cursor=c2', { runs: [], nextCursor: null });
  server.answer('GET /api/v1/runs?limit=50', { runs: [], nextCursor: null });
  const { pages } = await testClient().fetchInfiniteQuery({ ...runsQuery({ flow: 'f', status: 'failed' }), pages: 3 });
  expect(pages).toHaveLength(2);
  await testClient().fetchInfiniteQuery(runsQuery({}));
  const keys = [runsQuery({}), runsQuery({ flow: 'f' }), runsQuery({ status: 'failed' }), runQuery('f')];
  expect(new Set(keys.map(({ queryKey }) => JSON.stringify(queryKey))).size).toBe(4);
});

it('asks for the list again soon while a run moves, else later: other clients start runs too', async () => {
  const list = (status: RunStatus) => ({ pages: [{ runs: [{ status: 'failed' }, { status }] }], pageParams: [''] });
  expect(await intervalAfter(runsQuery({}), list('running'))).toBe(1_500);
  expect(await intervalAfter(runsQuery({}), list('queued'))).toBe(1_500);
  expect(await intervalAfter(runsQuery({}), list('waiting'))).toBe(10_000);
});

it('reads a run again until it has ended', async () => {
  server.answer('GET /api/v1/runs/r', { run: { id: 'r' } });
  expect(await testClient().fetchQuery(runQuery('r'))).toEqual({ id: 'r' });
  expect(await intervalAfter(runQuery('r'), { status: 'waiting' })).toBe(1_500);
  expect(await intervalAfter(runQuery('r'), { status: 'completed' })).toBe(false);
});

it('has a key for each list of runs', () => {
  const keys = [runsQuery({}), runsQuery({ flow: 'f' }), runsQuery({ flow: 'f', status: 'failed' })];
  expect(keys.map(({ queryKey }) => queryKey.slice(-3))).toEqual([
    ['list', '', ''],
    ['list', 'f', ''],
    ['list', 'f', 'failed'],
  ]);
});
