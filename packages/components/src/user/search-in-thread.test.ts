import { afterAll, expect, it } from 'vitest';
import type { Search } from './sandbox/messages.ts';
import { closeSandbox } from './sandbox-threads.ts';
import { MAX_SEARCH_MS, searchInThread } from './search-in-thread.ts';

afterAll(closeSandbox);
const query = (expression: string, value = '{"a":1}'): Search => ({ language: 'JMESPath', expression, value });
const signal = new AbortController().signal;

it('gives what was found, or the fault of the expression', async () => {
  expect(await searchInThread(query('a'), { user: undefined, signal })).toEqual({ ok: true, found: '1' });
  expect(await searchInThread(query('['), { user: 'ann', signal })).toMatchObject({ ok: false });
  expect(MAX_SEARCH_MS).toBe(2_000);
});

it('gives nothing where it takes too long', async () => {
  const long = query('sort(@)', JSON.stringify(Array.from({ length: 300_000 }, (_, n) => (n * 7_919) % 1_000_003)));
  expect(await searchInThread(long, { user: undefined, signal, limitMs: 0 })).toBeUndefined();
  expect(await searchInThread(query('a'), { user: undefined, signal })).toMatchObject({ ok: true });
});

it('ends with its caller', async () => {
  const stopped = AbortSignal.abort(new Error('stop'));
  await expect(searchInThread(query('a'), { user: undefined, signal: stopped })).rejects.toThrow('stop');
});
