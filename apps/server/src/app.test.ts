import { expect, it } from 'vitest';
import { createApp } from './app.ts';
import { Problem } from './problem.ts';

it('answers an unknown address with 404 as JSON', async () => {
  const answer = await createApp(() => new Problem(500, 'internal', 'no')).request('/nowhere');
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: { code: 'not_found', message: 'There is nothing at this address.' } },
  ]);
});

it('answers an error with what the client may know, and never from a cache', async () => {
  const seen: unknown[] = [];
  const app = createApp((error, request) => {
    seen.push([error.message, request]);
    return new Problem(503, 'starting', 'Wait.', { 'Retry-After': '5' });
  });
  app.post('/broken', () => {
    throw new Error('secret detail');
  });
  const answer = await app.request('/broken', { method: 'POST' });
  expect([answer.status, await answer.text()]).toEqual([503, '{"error":{"code":"starting","message":"Wait."}}']);
  expect([answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual(['5', 'no-store']);
  expect(seen).toEqual([['secret detail', { method: 'POST', path: '/broken' }]]);
});
