import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { gatewayQuery } from './gateway.ts';

const server = useFakeApi();

it('reads the state of the connected machine out of its envelope', async () => {
  server.answer('GET /instance-ai/gateway/status', { data: { connected: true } });
  expect(gatewayQuery.queryKey).toEqual(['gateway']);
  expect(await testClient().fetchQuery(gatewayQuery)).toEqual({ connected: true });
});
