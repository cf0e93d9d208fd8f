import { expect, it } from 'vitest';
import { init } from './init-endpoint.ts';
import { alive, disconnect, events, response, tree } from './machine-endpoints.ts';
import { createLink, disconnectSession, status, toggle } from './page-endpoints.ts';
import { findRoute } from './routes.ts';

const found = (path: string) => {
  const route = findRoute(path);
  return route && `${route.method} ${route.name} ${route.kind} ${route.rest}`.trim();
};

it('finds each endpoint below both prefixes, with the credentials that it takes', () => {
  const rows = [
    ['/gateway/create-link', 'POST create-link cookie', createLink],
    ['/gateway/status', 'GET status cookie', status],
    ['/gateway/disconnect-session', 'POST disconnect-session cookie', disconnectSession],
    ['/filesystem/toggle', 'POST toggle cookie', toggle],
    ['/gateway/init', 'POST init key', init],
    ['/gateway/events', 'GET events key', events],
    ['/gateway/tree', 'POST tree key', tree],
    ['/gateway/alive', 'POST alive key', alive],
    ['/gateway/disconnect', 'POST disconnect key', disconnect],
    ['/gateway/response/r-1_A', 'POST response key r-1_A', response],
  ] as const;
  for (const [path, expected, run] of rows)
    for (const prefix of ['/instance-ai', '/rest/instance-ai'])
      expect([found(prefix + path), findRoute(prefix + path)?.run], path).toEqual([expected, run]);
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
    '/instance-ai/gateway/initial',
    '/instance-ai/gateway/init/',
    '/instance-aix/gateway/init',
    '/instance-ai',
    '/instance-ai/',
    '/instance-ai/gateway',
    '/xinstance-ai/gateway/init',
    '/instance-ai/gateway/response',
  ])
    expect(found(path), path).toBeUndefined();
});
