import { expect, it } from 'vitest';
import { gatewayRoutes, guardRoutes, restGatewayRoutes } from './gateway-routes.ts';

it('gives the fields of a response at its top and below data, and no others', () => {
  const done = gatewayRoutes.disconnectGateway.response;
  expect(done.safeParse({ ok: true, data: { ok: true } }).success).toBe(true);
  for (const wrong of [
    { ok: true },
    { ok: true, data: {} },
    { ok: false, data: { ok: true } },
    { ok: true, data: { ok: true }, more: 1 },
  ])
    expect(done.safeParse(wrong).success).toBe(false);
});

it('has the access of each route', () => {
  const access = Object.values(gatewayRoutes).map(({ route, access: of }) => `${of} ${route.split('/').at(-1)}`);
  expect(access).toEqual([
    'caller status',
    'session create-link',
    'caller disconnect-session',
    'session toggle',
    'machine-key init',
    'machine-key events',
    'machine-key {requestId}',
    'machine-key tree',
    'machine-key alive',
    'machine-key disconnect',
  ]);
  expect(Object.values(gatewayRoutes).every(({ servedBy }) => servedBy === 'hub')).toBe(true);
  expect(Object.values(guardRoutes).map(({ access: of, servedBy }) => [of, servedBy])).toEqual([
    ['admin', 'guard'],
    ['key-header', 'guard'],
  ]);
});

it('has the same routes below /rest, under other names', () => {
  const own = Object.values(gatewayRoutes);
  const rest = restGatewayRoutes();
  expect(rest.map(({ route }) => route)).toEqual(own.map(({ route }) => route.replace(' /', ' /rest/')));
  expect(rest.map(({ operationId }) => operationId)).toEqual(own.map(({ operationId }) => `${operationId}Rest`));
  expect(new Set(rest.map(({ tag }) => tag))).toEqual(new Set(['Gateway below /rest']));
  expect(rest[0]?.access).toBe('caller');
});
