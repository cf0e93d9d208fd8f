import { NetworkError } from '@croft/components';
import { expect, it } from 'vitest';
import { boundedFetch, type ByteBudget } from './bounded-fetch.ts';

const budgetOf = (left: number): ByteBudget => ({ left, exceeded: 'All together are too large.', fix: 'Ask less.' });
const answers = (body: string | null, init?: ResponseInit) => async () => new Response(body, init);

it('passes a response on, with its status and headers', async () => {
  const budget = budgetOf(100);
  const fetch = boundedFetch(answers('hello', { status: 201, headers: { 'x-a': 'b' } }), 5, budget);
  const response = await fetch('https://a.test');
  expect([response.status, response.headers.get('x-a'), await response.text(), budget.left]).toEqual([
    201,
    'b',
    'hello',
    95,
  ]);
});

it('ends a response with more bytes than one may have', async () => {
  const reading = (await boundedFetch(answers('hello'), 4, budgetOf(100))('https://a.test')).text();
  await expect(reading).rejects.toMatchObject({ code: 'too_large', message: 'The response has more than 4 bytes.' });
});

it('ends a response where all together have too many', async () => {
  const budget = budgetOf(9);
  const fetch = boundedFetch(answers('hello'), 100, budget);
  await (await fetch('https://a.test')).text();
  const error = await (await fetch('https://a.test')).text().catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ message: 'All together are too large.', fix: 'Ask less.' });
});

it('lets the last byte of the budget through, and a response without a body', async () => {
  expect(await (await boundedFetch(answers('hello'), 5, budgetOf(5))('https://a.test')).text()).toBe('hello');
  expect((await boundedFetch(answers(null, { status: 204 }), 0, budgetOf(0))('https://a.test')).status).toBe(204);
});
