import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { api, apiQuery, routeUrl } from './api.ts';

const server = useFakeApi();

it('fills the route with encoded parameters, below the base path of the page', async () => {
  server.answer('GET /api/v1/flows/a%2F..%2Fb/edits', { entries: [] });
  await api('GET /api/v1/flows/{id}/edits', { params: { id: 'a/../b' }, query: { after: 3 } });
  expect(server.requests).toEqual(['GET /api/v1/flows/a%2F..%2Fb/edits?after=3']);
});

it('sends the body with the method of the route', async () => {
  server.answer('POST /api/v1/files/mkdir', {});
  await api('POST /api/v1/files/mkdir', { body: { path: 'a b' } });
  expect(server.requests).toEqual(['POST /api/v1/files/mkdir {"path":"a b"}']);
});

it('stops with its signal, and so does a query', async () => {
  const signal = AbortSignal.abort(new Error('left'));
  await expect(api('GET /api/v1/keys', { signal })).rejects.toThrow('left');
  const client = testClient();
  const query = apiQuery('GET /api/v1/keys');
  server.answer('GET /api/v1/keys', () =>
    client.cancelQueries({ queryKey: query.queryKey }).then(() => ({ keys: [] })),
  );
  await expect(client.fetchQuery(query)).rejects.toThrow();
});

it('has one entry in the cache for each request', () => {
  const keyOf = (dir: string) => apiQuery('GET /api/v1/files', { query: { path: dir } }).queryKey;
  expect(keyOf('a')).toEqual(['GET /api/v1/files', { query: { path: 'a' } }]);
  expect(keyOf('a')).not.toEqual(keyOf('b'));
});

it('gives the address of a route with its query', () => {
  expect(routeUrl('GET /api/v1/files/content', { query: { path: 'ä/1&2' } })).toBe(
    'http://croft.test/base/api/v1/files/content?path=%C3%A4%2F1%262',
  );
});
