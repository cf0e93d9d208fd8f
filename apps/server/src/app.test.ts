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

it('answers another method of a known address with the methods that it takes', async () => {
  const app = createApp(() => new Problem(500, 'internal', 'no'));
  app.use('/hooks/*', (_, next) => next());
  app.post('/hooks/:id', (context) => context.text('started'));
  app.get('/files/*', (context) => context.text('file'));
  app.put('/files/*', (context) => context.text('written'));
  // As the studio, which has a page or 404 for every address.
  app.get('*', (context) => (context.req.path === '/page' ? context.text('page') : context.notFound()));
  const get = await app.request('/hooks/a');
  expect([get.status, get.headers.get('allow'), get.headers.get('cache-control'), await get.json()]).toEqual([
    405,
    'POST',
    'no-store',
    { error: { code: 'method_not_allowed', message: 'This address takes POST.' } },
  ]);
  const remove = await app.request('/files/a/b', { method: 'DELETE' });
  expect([remove.status, remove.headers.get('allow')]).toEqual([405, 'GET, PUT']);
  expect((await app.request('/hooks/a', { method: 'POST' })).status).toBe(200);
  expect((await app.request('/hooks')).status).toBe(404);
  expect((await app.request('/page')).status).toBe(200);
  expect((await app.request('/page', { method: 'POST' })).status).toBe(404);
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
