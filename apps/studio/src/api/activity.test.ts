import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { changeDiffQuery, changePagesQuery, changesPath, recentChangesQuery } from './activity.ts';

const server = useFakeApi();

it('reads the changes of all or of one run, again when files change', async () => {
  server.answer('GET /api/v1/activity/changes', { changes: [] });
  const client = testClient();
  await client.fetchQuery(recentChangesQuery());
  await client.fetchQuery(recentChangesQuery({ run: 'r1' }));
  expect(server.requests).toEqual(['GET /api/v1/activity/changes', 'GET /api/v1/activity/changes?run=r1']);
  await client.invalidateQueries({ queryKey: ['files'] });
  expect(client.getQueryState(recentChangesQuery({ run: 'r1' }).queryKey)?.isInvalidated).toBe(true);
});

it('reads page after page, up to the one without a cursor', async () => {
  server.answer('GET /api/v1/activity/changes?path=a', { changes: [], nextCursor: 'c1' });
  server.answer('GET /api/v1/activity/changes?path=a&cursor=c1', { changes: [], nextCursor: null });
  const { pages } = await testClient().fetchInfiniteQuery({ ...changePagesQuery({ path: 'a' }), pages: 5 });
  expect(server.requests).toEqual([
    'GET /api/v1/activity/changes?path=a',
    'GET /api/v1/activity/changes?path=a&cursor=c1',
  ]);
  expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['c1', null]);
});

it('has an entry in the cache for all changes and for each run', () => {
  const keys = [recentChangesQuery(), recentChangesQuery({ run: 'r1' })].map(({ queryKey }) => queryKey);
  expect(keys).toEqual([
    ['files', 'recent-changes', null, null],
    ['files', 'recent-changes', 'r1', null],
  ]);
});

it('leads to the changes of a run, and of a file whatever its name', () => {
  expect(changesPath({ run: 'a&b' })).toBe('/settings/activity?run=a%26b');
  expect(changesPath({ path: 'notes/a b+c.md' })).toBe('/settings/activity?path=notes%2Fa+b%2Bc.md');
});

it('keeps pages of runs and paths apart, and reads them with both', async () => {
  expect(changePagesQuery({}).queryKey).toEqual(['files', 'change-pages', null, null]);
  const filter = { run: 'r', path: 'p' };
  expect(changePagesQuery(filter).queryKey).toEqual(['files', 'change-pages', 'r', 'p']);
  expect(recentChangesQuery(filter).queryKey).toEqual(['files', 'recent-changes', 'r', 'p']);
  server.answer('GET /api/v1/activity/changes', { changes: [], nextCursor: null });
  await testClient().fetchInfiniteQuery(changePagesQuery(filter));
  expect(server.requests).toEqual(['GET /api/v1/activity/changes?run=r&path=p']);
  expect(changesPath(filter)).toBe('/settings/activity?run=r&path=p');
});

it('reads the differences of a change, again when files change', async () => {
  const diff = { files: [], moreFiles: 0 };
  server.answer('GET /api/v1/activity/changes/c%201/diff', diff);
  const client = testClient();
  expect(await client.fetchQuery(changeDiffQuery('c 1'))).toEqual(diff);
  expect(changeDiffQuery('c 1').queryKey).toEqual(['files', 'change-diff', 'c 1']);
});
