import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { keptDocumentQuery, restorePointsQuery } from './restore-points.ts';

const server = useFakeApi();

it('reads the list each time, and the document of a version once', async () => {
  server.answer('GET /api/v1/flows/f/restore-points', { restorePoints: [{ id: 'p' }] });
  server.answer('GET /api/v1/flows/f/restore-points/p', { restorePoint: { document: { name: 'Kept' } } });
  const client = testClient();
  for (const _ of [1, 2]) {
    expect(await client.fetchQuery(restorePointsQuery('f'))).toEqual([{ id: 'p' }]);
    expect(await client.fetchQuery(keptDocumentQuery('f', 'p'))).toEqual({ name: 'Kept' });
  }
  const [list, document] = ['GET /api/v1/flows/f/restore-points', 'GET /api/v1/flows/f/restore-points/p'];
  expect(server.requests).toEqual([list, document, list]);
});

it('keeps flows and versions apart', () => {
  const [list, document] = [restorePointsQuery('f'), keptDocumentQuery('f', 'p')];
  expect([list.queryKey, document.queryKey]).toEqual([
    ['restore-points', 'f'],
    ['restore-points', 'f', 'p'],
  ]);
  expect(list.staleTime).toBe(0);
});
