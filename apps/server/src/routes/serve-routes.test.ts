import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { defineRoutes, raw } from '../contract/define-route.ts';
import { type Route, route } from './route.ts';

const ANN = { userId: 'ann', role: 'user', via: 'session' } as const;
const KEY = { userId: 'ann', role: 'user', via: 'key', key: 'agent' } as const;
const ADMIN = { ...ANN, role: 'admin' } as const;
const cards = defineRoutes('Cards', {
  anyone: {
    route: 'GET /anyone',
    summary: '',
    access: 'anyone',
    response: z.strictObject({ who: z.string().nullable() }),
  },
  caller: { route: 'GET /caller', summary: '', access: 'caller', response: z.strictObject({ who: z.string() }) },
  session: { route: 'GET /session', summary: '', access: 'session', response: z.strictObject({}) },
  admin: { route: 'GET /admin', summary: '', access: 'admin', response: z.strictObject({}) },
  adminSession: { route: 'GET /admin-session', summary: '', access: 'admin-session', response: z.strictObject({}) },
  change: {
    route: 'PUT /cards/{id}/{part}',
    summary: '',
    access: 'caller',
    query: z.object({ size: z.enum(['s', 'm']).optional() }),
    body: z.strictObject({ text: z.string() }),
    response: z.strictObject({ got: z.array(z.unknown()) }),
    status: 201,
    otherResponses: { 409: z.strictObject({ other: z.boolean() }) },
    errors: ['not_found'],
    maxBodyBytes: 100,
    audit: true,
  },
  stream: { route: 'GET /stream', summary: '', access: 'caller', response: raw('Events', ['text/event-stream']) },
  page: { route: 'GET /page', summary: '', access: 'anyone', response: raw('A page', ['text/html'], [200, 206]) },
});

const ROUTES: Route[] = [
  route(cards.anyone, ({ caller }) => ({ who: caller?.userId ?? null })),
  route(cards.caller, ({ caller }) => ({ who: caller.userId })),
  ...[cards.session, cards.admin, cards.adminSession].map((each) => route(each, () => ({}))),
  route(cards.change, ({ params, query, body, problem, other }) => {
    if (body.text === 'missing') throw problem('not_found', 'No card.');
    if (body.text === 'undefined') throw Object.assign(problem('not_found', 'x'), { code: 'exists' });
    if (body.text === 'other') return other(409, { other: true }, { 'X-Other': '1' });
    return { got: [params.id, params.part, query.size ?? null, body.text] };
  }),
  route(cards.page, ({ context }) => {
    const type = context.req.header('x-type') ?? 'text/html';
    return new Response('page', {
      status: Number(context.req.header('x-status') ?? 200),
      headers: { 'Content-Type': type },
    });
  }),
];
const ask = routeCaller(ROUTES);

it('ends a stream once the API key that opened it was revoked', async () => {
  const open: ServerResponse[] = [];
  const stream = route(cards.stream, ({ outgoing }) => {
    open.push(outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  let looks = 0;
  const identify = async () => (looks++ < 3 ? { caller: KEY } : undefined);
  await routeCaller([stream], { identify, lookMs: 1 })('GET /stream');
  if (!open[0]?.closed) await once(open[0] as ServerResponse, 'close');
  expect(looks).toBe(4);
});

it('lets in only the callers that a route accepts', async () => {
  const statuses = async (path: string) =>
    Promise.all(
      (['nobody', KEY, ANN, ADMIN, { ...ADMIN, via: 'key' }] as const).map(
        async (caller) => (await ask(`GET ${path}`, { caller: caller as never })).status,
      ),
    );
  expect(await statuses('/anyone')).toEqual([200, 200, 200, 200, 200]);
  expect(await statuses('/caller')).toEqual([401, 200, 200, 200, 200]);
  expect(await statuses('/session')).toEqual([401, 403, 200, 200, 403]);
  expect(await statuses('/admin')).toEqual([401, 403, 403, 200, 200]);
  expect(await statuses('/admin-session')).toEqual([401, 403, 403, 200, 403]);
  expect((await ask('GET /anyone', { caller: 'nobody' })).body).toEqual({ who: null });
});

it('gives the handler parameters, query and body, parsed by their definition', async () => {
  const { status, body, headers } = await ask('PUT /cards/a%20b/c?size=m', { json: { text: 'x' } });
  expect([status, body]).toEqual([201, { got: ['a b', 'c', 'm', 'x'] }]);
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['application/json', 'no-store']);
});

it('refuses a query or body that its definition does not describe', async () => {
  const messageOf = async (target: string, json: unknown) => {
    const { status, body } = await ask(target, { json });
    expect([status, body.error.code]).toEqual([400, 'invalid']);
    return body.error.message as string;
  };
  expect(await messageOf('PUT /cards/a/b?size=xl', { text: 'x' })).toMatch(/^size: .* \(in the query\)$/);
  expect(await messageOf('PUT /cards/a/b', { text: 5 })).toMatch(/^text: .* \(in the body\)$/);
  expect(await messageOf('PUT /cards/a/b', { text: 'x', other: 1 })).toMatch(/\(in the body\)\. Known names: text$/);
  expect((await ask('PUT /cards/a/b', { body: '{' })).body.error.code).toBe('invalid');
  expect((await ask('PUT /cards/a/b', { json: { text: 'x'.repeat(100) } })).status).toBe(413);
});

it('refuses a compressed body instead of taking its bytes for the content', async () => {
  const send = (encoding: string, path = 'PUT /cards/a/b') =>
    ask(path, { json: { text: 'x' }, headers: { 'content-encoding': encoding } });
  const { status, body, headers } = await send('gzip');
  expect([status, body.error.code, headers.get('accept-encoding')]).toEqual([415, 'unsupported_encoding', 'identity']);
  expect((await send('Identity')).status).toBe(201);
  expect((await ask('GET /caller', { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
});

it('reads no body of a caller that it refuses', async () => {
  expect((await ask('PUT /cards/a/b', { caller: 'nobody', body: '{' })).status).toBe(401);
});

it('sends other answers and errors of the definition', async () => {
  const other = await ask('PUT /cards/a/b', { json: { text: 'other' } });
  expect([other.status, other.body, other.headers.get('x-other')]).toEqual([409, { other: true }, '1']);
  const missing = await ask('PUT /cards/a/b', { json: { text: 'missing' } });
  expect([missing.status, missing.body.error]).toEqual([404, { code: 'not_found', message: 'No card.' }]);
});

it('records calls of audited routes with their outcome', async () => {
  const records: unknown[] = [];
  const audit = (
    _: unknown,
    { action, outcome, caller }: { action: string; outcome: string; caller?: { userId: string } },
  ) => void records.push([action, outcome, caller?.userId]);
  const audited = routeCaller(ROUTES, { audit: audit as never });
  await audited('PUT /cards/a/b', { json: { text: 'x' } });
  await audited('PUT /cards/a/b', { json: { text: 'missing' } });
  await audited('GET /caller');
  expect(records).toEqual([
    ['change', 'ok', 'ann'],
    ['change', 'not_found', 'ann'],
  ]);
});

it('finds responses and errors that the definition does not describe, where it checks them', async () => {
  const wrong = [route(cards.caller, () => ({ who: 'x', more: 1 }) as never)];
  const failed = await routeCaller(wrong)('GET /caller');
  expect([failed.status, failed.body.error.message]).toEqual([500, expect.stringContaining('caller: ')]);
  expect((await routeCaller(wrong, { checksResponses: false })('GET /caller')).body).toEqual({ who: 'x', more: 1 });
  expect((await ask('PUT /cards/a/b', { json: { text: 'undefined' } })).body.error.message).toBe(
    'change: error code exists is not defined',
  );
  const page = async (headers: Record<string, string>) => (await ask('GET /page', { headers })).status;
  expect([await page({}), await page({ 'x-status': '206' }), await page({ 'x-status': '404' })]).toEqual([
    200, 206, 404,
  ]);
  expect([await page({ 'x-status': '201' }), await page({ 'x-type': 'image/png' })]).toEqual([500, 500]);
});
