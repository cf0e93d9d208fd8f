import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { auditActionsQuery, auditQuery } from './audit.ts';

const server = useFakeApi();

it('reads the audit log in pages', async () => {
  server.answer('GET /api/v1/audit', { events: [], nextCursor: 'c2' });
  const client = testClient();
  const query = auditQuery({ user: 'u1', action: 'sign-in' });
  const { pages } = await client.fetchInfiniteQuery({ ...query, pages: 2 });
  expect(pages).toHaveLength(2);
  expect(server.requests).toEqual([
    'GET /api/v1/audit?user=u1&action=sign-in',
    'GET /api/v1/audit?user=u1&action=sign-in&cursor=c2',
  ]);
  server.answer('GET /api/v1/audit', { events: [], nextCursor: null });
  await client.fetchInfiniteQuery({ ...auditQuery({ user: '', action: '' }), pages: 2 });
  expect(server.requests.slice(2)).toEqual(['GET /api/v1/audit']);
});

it('keeps one log for each filter, and reads the actions once', () => {
  expect(auditQuery({ user: 'a', action: 'b' }).queryKey).toEqual(['audit', 'a', 'b']);
  expect(auditActionsQuery.staleTime).toBe(Number.POSITIVE_INFINITY);
});
