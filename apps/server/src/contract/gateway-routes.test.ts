import { expect, it } from 'vitest';
import { z } from 'zod';
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

it('has the routes of a machine and its user, all of them served by the hub', () => {
  expect(
    Object.values(gatewayRoutes).map(
      ({ operationId, tag, servedBy, access, route, summary }) =>
        `${[operationId, tag, servedBy, access, route].join(' ')}: ${summary}`,
    ),
  ).toEqual([
    'getGatewayStatus Gateway hub caller GET /instance-ai/gateway/status: Get the state of your connected machine, and whether agents may use it',
    'createGatewayLink Gateway hub session POST /instance-ai/gateway/create-link: Get the open pairing token and the command that uses it. renew replaces an open token',
    'disconnectGateway Gateway hub caller POST /instance-ai/gateway/disconnect-session: Disconnect your machine. Connecting again needs a new pairing',
    'toggleGateway Gateway hub session POST /instance-ai/filesystem/toggle: Switch the tools of the connected machine on or off; it stays connected. Without enabled, invert the switch',
    'connectMachine Gateway hub machine-key POST /instance-ai/gateway/init: Connect a machine with a pairing token or a session key',
    'followMachineRequests Gateway hub machine-key GET /instance-ai/gateway/events: Receive requests to the machine, as server-sent events',
    'answerMachineRequest Gateway hub machine-key POST /instance-ai/gateway/response/{requestId}: Answer a request',
    'updateMachineTree Gateway hub machine-key POST /instance-ai/gateway/tree: Send the tree of the directory again, after files changed',
    'confirmMachineAlive Gateway hub machine-key POST /instance-ai/gateway/alive: Answer a ping',
    'disconnectMachine Gateway hub machine-key POST /instance-ai/gateway/disconnect: Disconnect this machine and end its key',
  ]);
});

it('has the bodies and responses of each route', () => {
  const shown = (given: unknown) => (given instanceof z.ZodType ? Object.keys((given as z.ZodObject).shape) : given);
  const twice = (...names: string[]) => [...names, 'data'];
  const body = {
    kind: 'raw',
    mediaTypes: ['application/json'],
    description: 'The message, as `PROTOCOL.md` of @croft/gateway describes it',
  };
  const bodies = Object.entries(gatewayRoutes).map(([name, of]) => [
    name,
    shown('body' in of && of.body),
    shown(of.response),
  ]);
  expect(bodies).toEqual([
    [
      'getGatewayStatus',
      false,
      twice('connected', 'connectedAt', 'directory', 'hostIdentifier', 'toolCategories', 'enabled', 'expiresAt'),
    ],
    ['createGatewayLink', ['renew'], twice('token', 'command', 'url', 'expiresAt', 'ttlSeconds')],
    ['disconnectGateway', false, twice('ok')],
    ['toggleGateway', ['enabled'], twice('ok', 'enabled')],
    ['connectMachine', body, twice('ok', 'sessionKey', 'croft')],
    [
      'followMachineRequests',
      false,
      { kind: 'raw', mediaTypes: ['text/event-stream'], description: 'A stream of events' },
    ],
    ['answerMachineRequest', body, twice('ok')],
    ['updateMachineTree', body, twice('ok')],
    ['confirmMachineAlive', false, twice('ok')],
    ['disconnectMachine', false, twice('ok')],
  ]);
  const { createGatewayLink, toggleGateway, connectMachine } = gatewayRoutes;
  expect([createGatewayLink.body.parse({}), toggleGateway.body.parse({})]).toEqual([{}, {}]);
  for (const more of [{}, { sessionKey: 's', croft: { protocol: 1 } }])
    expect(connectMachine.response.safeParse({ ok: true, ...more, data: { ok: true, ...more } }).success).toBe(true);
  expect(connectMachine.response.safeParse({ ok: false, data: { ok: false } }).success).toBe(false);
  expect(
    toggleGateway.response.safeParse({ ok: false, enabled: true, data: { ok: false, enabled: true } }).success,
  ).toBe(false);
});

it('has the routes of the guard inside the server', () => {
  expect(Object.values(guardRoutes)).toEqual([
    {
      operationId: 'getGuardDecisions',
      tag: 'Guard',
      servedBy: 'guard',
      route: 'GET /guard',
      summary: 'Open the page of decisions',
      access: 'admin',
      response: { kind: 'raw', description: 'The page', mediaTypes: ['text/html'] },
    },
    {
      operationId: 'proxyToModel',
      tag: 'Guard',
      servedBy: 'guard',
      route: 'POST /guard/proxy/{path}',
      summary:
        "Send a request to the configured model and judge the tool calls of its reply. path is the model's own path",
      access: 'key-header',
      body: { kind: 'raw', description: 'The request, as the model takes it', mediaTypes: ['application/json'] },
      response: {
        kind: 'raw',
        description: 'The reply, as the model sends it',
        mediaTypes: ['application/json', 'text/event-stream'],
      },
    },
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
