import { afterEach, expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import {
  announcedQuery,
  componentsQuery,
  deletedFlowsQuery,
  findingsQuery,
  FLOWS_KEY,
  flowQuery,
  flowsQuery,
  flowTagsQuery,
  latestRunsQuery,
  leavingFlows,
  templatesQuery,
} from './flows.ts';

const server = useFakeApi();
afterEach(() => leavingFlows.clear());

it('reads the flows page by page, without those that are being deleted', async () => {
  server.answer('GET /api/v1/flows', { flows: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c2' });
  server.answer('GET /api/v1/flows?cursor=c2', { flows: [{ id: 'c' }] });
  leavingFlows.add('b');
  const { pages } = await testClient().fetchInfiniteQuery({ ...flowsQuery(''), pages: 3 });
  expect(pages.flatMap(({ flows }) => flows.map(({ id }) => id))).toEqual(['a', 'c']);
});

it('searches by a part of the name and a tag', async () => {
  server.answer('GET /api/v1/flows', { flows: [] });
  await testClient().fetchInfiniteQuery(flowsQuery('mail', 'work'));
  await testClient().fetchInfiniteQuery(flowsQuery('', 'work'));
  await testClient().fetchInfiniteQuery(flowsQuery('', '', true));
  expect(server.requests).toEqual([
    'GET /api/v1/flows?search=mail&tag=work',
    'GET /api/v1/flows?tag=work',
    'GET /api/v1/flows?triggered=true',
  ]);
  expect(flowsQuery('mail', 'work').queryKey).toEqual(['flows', 'list', 'mail', 'work', false]);
});

it('reads one part of each answer', async () => {
  server.answer('GET /api/v1/flow-tags', { tags: ['t'] });
  server.answer('GET /api/v1/deleted-flows', { flows: [{ id: 'd' }] });
  server.answer('GET /api/v1/flows/f', { flow: { id: 'f' } });
  server.answer('GET /api/v1/flows/f/check', { findings: ['x'] });
  server.answer('GET /api/v1/flow-templates', { templates: ['t'] });
  const client = testClient();
  expect(await client.fetchQuery(flowTagsQuery)).toEqual(['t']);
  expect(await client.fetchQuery(deletedFlowsQuery)).toEqual([{ id: 'd' }]);
  expect(await client.fetchQuery(flowQuery('f'))).toEqual({ id: 'f' });
  expect(await client.fetchQuery(findingsQuery('f', 2))).toEqual(['x']);
  expect(await client.fetchQuery(templatesQuery)).toEqual(['t']);
  await client.invalidateQueries({ queryKey: FLOWS_KEY });
  const isInvalid = [flowTagsQuery, flowQuery('f'), deletedFlowsQuery].map(
    ({ queryKey }) => client.getQueryState(queryKey)?.isInvalidated,
  );
  expect(isInvalid).toEqual([true, true, false]);
});

it('asks once for the components and templates, and once for the findings of a version', async () => {
  const descriptor = { type: 'T', label: 'T', fields: [], outputs: [] };
  server.answer('GET /api/v1/flow-components', { components: [descriptor] });
  server.answer('GET /api/v1/flow-templates', { templates: [] });
  server.answer('GET /api/v1/flows/f/check', { findings: [] });
  const client = testClient();
  for (const _ of [1, 2]) {
    expect((await client.fetchQuery(componentsQuery)).get('T')).toEqual({ descriptor });
    await client.fetchQuery(templatesQuery);
    await client.fetchQuery(findingsQuery('f', 1));
  }
  expect(server.requests).toHaveLength(3);
  await client.fetchQuery(findingsQuery('f', 2));
  expect(server.requests).toHaveLength(4);
});

it('keeps the announced version of each flow apart, and asks no server for it', () => {
  expect([announcedQuery('f').enabled, announcedQuery('f').queryKey]).toEqual([false, ['flow-announced', 'f']]);
});

it('knows the newest run of each flow, and asks again while one is under way', async () => {
  const run = (id: string, flowId: string, status: string) => ({ id, flowId, status });
  const client = testClient();
  const { queryKey } = latestRunsQuery;
  const interval = () => {
    const { refetchInterval } = latestRunsQuery;
    const query = client.getQueryCache().find({ queryKey }) as never;
    return typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
  };
  server.answer('GET /api/v1/runs?limit=200', { runs: [run('new', 'f', 'running'), run('old', 'f', 'failed')] });
  expect(await client.fetchQuery(latestRunsQuery)).toEqual({ f: run('new', 'f', 'running') });
  expect(interval()).toBe(2_000);
  server.answer('GET /api/v1/runs?limit=200', { runs: [run('new', 'f', 'queued')] });
  await client.fetchQuery(latestRunsQuery);
  expect(interval()).toBe(2_000);
  server.answer('GET /api/v1/runs?limit=200', { runs: [run('new', 'f', 'completed')] });
  await client.fetchQuery(latestRunsQuery);
  expect(interval()).toBe(false);
});

it('has an entry in the cache for each flow and version', () => {
  expect(flowQuery('f').queryKey).toEqual(['flows', 'one', 'f']);
  expect(findingsQuery('f', 2).queryKey).toEqual(['flows', 'check', 'f', 2]);
});
