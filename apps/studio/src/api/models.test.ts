import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { MODELS_KEY, modelsQuery, variablesQuery } from './models.ts';

const server = useFakeApi();

it('has keys that other queries do not share', () => {
  expect([MODELS_KEY, modelsQuery.queryKey, variablesQuery.queryKey]).toEqual([
    ['variables'],
    ['variables', 'models'],
    ['variables', 'list'],
  ]);
});

it('reads providers and variables, both again when a variable changes', async () => {
  server.answer('GET /api/v1/models', { providers: [] });
  server.answer('GET /api/v1/variables', { variables: [{ name: 'KEY' }] });
  const client = testClient();
  expect(await client.fetchQuery(modelsQuery)).toEqual({ providers: [] });
  expect(await client.fetchQuery(variablesQuery)).toEqual([{ name: 'KEY' }]);
  await client.invalidateQueries({ queryKey: MODELS_KEY });
  const isInvalid = [modelsQuery, variablesQuery].map(({ queryKey }) => client.getQueryState(queryKey)?.isInvalidated);
  expect(isInvalid).toEqual([true, true]);
});
