import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRoutes } from '../contract/define-route.ts';
import { problemBody } from '../problem.ts';
import { toProblem } from '../to-problem.ts';
import { type App, OtherResponse, type RawHttp, type Route, route } from './route.ts';
import { serveRoutes } from './serve-routes.ts';

const { getCard, listCards } = defineRoutes('Cards', {
  getCard: {
    route: 'GET /cards/{id}',
    summary: 'A card',
    access: 'anyone',
    skipsIdentity: true,
    response: z.strictObject({
      id: z.string(),
      count: z.number(),
      owner: z.strictObject({ name: z.string() }).nullable(),
    }),
    errors: ['not_found'],
  },
  listCards: {
    route: 'GET /cards',
    summary: 'All cards',
    access: 'anyone',
    skipsIdentity: true,
    response: z.strictObject({ cards: z.array(z.strictObject({ id: z.string(), note: z.string().optional() })) }),
  },
});

const { runCard, readCard } = defineRoutes('Runs of cards', {
  runCard: {
    route: 'POST /cards/run',
    summary: 'Run a card',
    access: 'anyone',
    startsRun: true,
    response: z.strictObject({}),
  },
  readCard: { route: 'GET /cards/read', summary: 'Read a card', access: 'anyone', response: z.strictObject({}) },
});

/** The status and body of a request to one route, with responses checked. */
async function ask(one: Route, path: string): Promise<{ status: number; body: unknown }> {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  serveRoutes(app, [one], { identify: async () => undefined, checksResponses: true });
  let failure: unknown;
  app.onError((error) => {
    failure = error.message;
    const known = toProblem(error);
    return known ? Response.json(problemBody(known), { status: known.status }) : new Response(null, { status: 500 });
  });
  const response = await app.request(path, {}, { incoming: {}, outgoing: {} });
  return { status: response.status, body: response.status === 500 ? failure : await response.json() };
}

describe('a handler', () => {
  it('compiles and answers when its response is the one defined', async () => {
    const right = route(getCard, ({ params }) => ({ id: params.id, count: 1, owner: { name: 'Ann' } }));
    expect(await ask(right, '/cards/7')).toEqual({ status: 200, body: { id: '7', count: 1, owner: { name: 'Ann' } } });
  });

  it('does not compile when its response has a missing field', async () => {
    // @ts-expect-error `count` is missing
    const wrong = route(getCard, () => ({ id: '7', owner: null }));
    expect((await ask(wrong, '/cards/7')).body).toMatch(/getCard.*count/s);
  });

  it('does not compile when its response has a mistyped field', async () => {
    // @ts-expect-error `count` is a number
    const wrong = route(getCard, () => ({ id: '7', count: '1', owner: null }));
    expect((await ask(wrong, '/cards/7')).body).toMatch(/getCard.*expected number/s);
  });

  it('does not compile when its response has an additional field, at any depth', async () => {
    // @ts-expect-error `secret` is not in the definition
    const shallow = route(getCard, () => ({ id: '7', count: 1, owner: null, secret: 'x' }));
    expect((await ask(shallow, '/cards/7')).body).toMatch(/getCard.*secret/s);
    // @ts-expect-error `email` is not in the definition
    const deep = route(getCard, async () => ({ id: '7', count: 1, owner: { name: 'Ann', email: 'a@b' } }));
    expect((await ask(deep, '/cards/7')).body).toMatch(/getCard.*email/s);
    const rows: { id: string; hash: string }[] = [{ id: '7', hash: 'x' }];
    // @ts-expect-error `hash` is not in the definition
    const inList = route(listCards, () => ({ cards: rows.map((row) => row) }));
    expect((await ask(inList, '/cards')).body).toMatch(/listCards.*hash/s);
  });

  it('does not compile when it reads a parameter or throws a code that its definition lacks', async () => {
    const named = route(getCard, ({ params }) => {
      // @ts-expect-error the parameter is called `id`
      void params.name;
      return { id: params.id, count: 1, owner: null };
    });
    expect((await ask(named, '/cards/7')).status).toBe(200);
    const refusing = route(getCard, ({ problem }) => {
      // @ts-expect-error `exists` is not a code of this route
      throw problem('exists', 'It exists.');
    });
    expect((await ask(refusing, '/cards/7')).body).toMatch(/getCard: error code exists is not defined/);
  });

  it('answers with the status of the code it throws', async () => {
    const missing = route(getCard, ({ problem }) => {
      throw problem('not_found', 'There is no such card.');
    });
    expect(await ask(missing, '/cards/7')).toEqual({
      status: 404,
      body: { error: { code: 'not_found', message: 'There is no such card.' } },
    });
  });

  it('is checked when a variable of a wider type hides an additional field from the compiler', async () => {
    const row: { id: string; count: number; owner: null } = JSON.parse('{"id":"7","count":1,"owner":null,"hash":"x"}');
    expect(
      (
        await ask(
          route(getCard, () => row),
          '/cards/7',
        )
      ).body,
    ).toMatch(/getCard.*hash/s);
  });
});

it('identifies one caller at a time of requests that start runs, and all of others', async () => {
  const app: App = new Hono<{ Bindings: RawHttp }>();
  let identifying = 0;
  let most = 0;
  const identify = async () => {
    most = Math.max(most, ++identifying);
    await turnOfLoop();
    identifying--;
    return undefined;
  };
  serveRoutes(app, [route(runCard, () => ({})), route(readCard, () => ({}))], { identify });
  const mostOf = async (method: string, path: string) => {
    most = 0;
    const send = async () => app.request(path, { method }, { incoming: {}, outgoing: {} });
    for (const { status } of await Promise.all(Array.from({ length: 20 }, send))) expect(status).toBe(200);
    return most;
  };
  expect(await mostOf('GET', '/cards/read')).toBe(20);
  // More on a machine that is so busy that one takes more than 20 ms.
  expect(await mostOf('POST', '/cards/run')).toBeLessThan(6);
});

it('keeps the status, body and headers of another response', () => {
  const headers = { 'Retry-After': '5' };
  expect({ ...new OtherResponse(503, { busy: true }, headers) }).toEqual({
    status: 503,
    body: { busy: true },
    headers,
  });
});
