import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { meQuery } from './me.ts';
import { ApiError } from './request.ts';

const server = useFakeApi();

it('waits for a server that starts, and shows other failures soon', () => {
  const { retry } = meQuery;
  const tries = (error: Error) => {
    let count = 0;
    while (count < 100 && typeof retry === 'function' && retry(count, error)) count++;
    return count;
  };
  expect(tries(new ApiError('starting', '', 503))).toBe(60);
  expect(tries(new ApiError('offline', '', 0))).toBe(1);
  expect(tries(new TypeError('a fault of the page'))).toBe(0);
});

it('reads the signed-in user once a minute', async () => {
  server.answer('GET /api/v1/me', { user: { id: 'u' } });
  expect(meQuery.staleTime).toBe(60_000);
  const client = testClient();
  expect(await client.fetchQuery(meQuery)).toEqual({ user: { id: 'u' } });
  await client.fetchQuery(meQuery);
  expect(server.requests).toEqual(['GET /api/v1/me']);
});
