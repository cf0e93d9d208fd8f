import { expect, it } from 'vitest';
import { withoutRedirects } from './without-redirects.ts';

it('follows no redirect, whatever the request says, and keeps its other settings', async () => {
  const seen: unknown[] = [];
  const fetch = withoutRedirects(async (input, init) => {
    seen.push([input, init]);
    return new Response('ok');
  });
  const response = await fetch('https://example.test/v1', { method: 'POST', redirect: 'follow', headers: { a: 'b' } });
  await fetch('https://example.test/v2');
  expect(await response.text()).toBe('ok');
  expect(seen).toEqual([
    ['https://example.test/v1', { method: 'POST', redirect: 'error', headers: { a: 'b' } }],
    ['https://example.test/v2', { redirect: 'error' }],
  ]);
});
