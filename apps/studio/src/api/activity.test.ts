import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { recentChangesQuery } from './activity.ts';

const server = useFakeApi();

it('reads the changes of all or of one run, again when files change', async () => {
  server.answer('GET /api/v1/activity/changes', { changes: [] });
  const client = testClient();
  await client.fetchQuery(recentChangesQuery());
  await client.fetchQuery(recentChangesQuery('r1'));
  expect(server.requests).toEqual(['GET /api/v1/activity/changes', 'GET /api/v1/activity/changes?run=r1']);
  await client.invalidateQueries({ queryKey: ['files'] });
  expect(client.getQueryState(recentChangesQuery('r1').queryKey)?.isInvalidated).toBe(true);
});

it('has an entry in the cache for all changes and for each run', () => {
  const keys = [recentChangesQuery(), recentChangesQuery('r1')].map(({ queryKey }) => queryKey);
  expect(keys).toEqual([
    ['files', 'recent-changes', null],
    ['files', 'recent-changes', 'r1'],
  ]);
});
