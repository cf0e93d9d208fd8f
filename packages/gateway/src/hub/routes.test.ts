import { expect, it } from 'vitest';
import { findRoute } from './routes.ts';

const found = (path: string) => {
  const route = findRoute(path);
  return route && `${route.method} ${route.name} ${route.kind} ${route.rest}`.trim();
};

it('finds each endpoint below both prefixes, with the credentials that it takes', () => {
  const rows = [
    ['/gateway/create-link', 'POST create-link cookie'],
    ['/gateway/status', 'GET status cookie'],
    ['/gateway/disconnect-session', 'POST disconnect-session cookie'],
    ['/filesystem/toggle', 'POST toggle cookie'],
    ['/gateway/init', 'POST init key'],
    ['/gateway/events', 'GET events key'],
    ['/gateway/tree', 'POST tree key'],
    ['/gateway/alive', 'POST alive key'],
    ['/gateway/disconnect', 'POST disconnect key'],
    ['/gateway/response/r-1_A', 'POST response key r-1_A'],
  ] as const;
  for (const [path, expected] of rows)
    for (const prefix of ['/instance-ai', '/rest/instance-ai']) expect(found(prefix + path), path).toBe(expected);
});

it('takes no text for a request id that cannot be one', () => {
  for (const id of ['', 'a/b', 'a%20b', 'a'.repeat(65)])
    expect(found(`/instance-ai/gateway/response/${id}`), id).toBe('POST response key');
  expect(found(`/instance-ai/gateway/response/${'a'.repeat(64)}`)).toContain('a'.repeat(64));
});

it('leaves other paths to the rest of the server', () => {
  for (const path of [
    '/',
    '/gateway/init',
    '/instance-ai',
    '/instance-ai/',
    '/instance-ai/gateway',
    '/xinstance-ai/gateway/init',
    '/instance-ai/gateway/response',
  ])
    expect(found(path), path).toBeUndefined();
});
