import { expect, it } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { localAccessQuery } from './local-access.ts';

const server = useFakeApi();
const read = () => testClient().fetchQuery(localAccessQuery({ autoLogin: true }));

it('has a key of its own', () => {
  expect(localAccessQuery({ autoLogin: true }).queryKey).toEqual(['local-access']);
});

it('asks only a server without accounts', () => {
  expect([localAccessQuery({ autoLogin: true }).enabled, localAccessQuery({ autoLogin: false }).enabled]).toEqual([
    true,
    false,
  ]);
});

it('is absent where the server does not offer it, and an error where that is not known', async () => {
  server.answer('GET /api/v1/local-access', { state: 'on' });
  expect(await read()).toEqual({ state: 'on' });
  for (const status of [403, 404]) {
    server.answer('GET /api/v1/local-access', refusal(status, 'none'));
    expect(await read()).toBeNull();
  }
  server.answer('GET /api/v1/local-access', refusal(500, 'broken'));
  await expect(read()).rejects.toMatchObject({ code: 'broken' });
});
