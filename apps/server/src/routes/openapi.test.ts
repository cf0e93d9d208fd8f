import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineRoutes, raw } from '../contract/define-route.ts';
import { PROBLEM_STATUS, type ProblemCode } from '../contract/problem-codes.ts';
import { makeOpenApi } from './openapi.ts';

const definitions = Object.values(
  defineRoutes('Cards', {
    getCard: {
      route: 'GET /cards/{id}',
      summary: 'A card',
      access: 'caller',
      query: z.object({ size: z.enum(['s', 'm']), page: z.string().optional() }),
      response: z.strictObject({ id: z.string() }),
      errors: ['not_found'],
    },
    putCard: {
      route: 'PUT /cards/{id}',
      summary: 'Store',
      access: 'session',
      body: z.strictObject({ at: z.number().default(1) }),
      response: z.strictObject({}),
      status: 201,
      otherResponses: { 409: z.strictObject({ other: z.boolean() }) },
      errors: ['exists'],
    },
    page: {
      route: 'GET /page',
      summary: 'Page',
      access: 'anyone',
      response: raw('The page', ['text/html', 'image/png'], [200, 206]),
    },
    hub: { route: 'GET /hub', summary: 'Hub', access: 'machine-key', response: z.strictObject({}), servedBy: 'hub' },
    mcp: {
      route: 'POST /mcp',
      summary: 'MCP',
      access: 'key-header',
      body: raw('Bytes', ['application/octet-stream']),
      response: z.strictObject({}),
      servedBy: 'mcp',
    },
    hidden: { route: 'GET /hidden', summary: 'x', access: 'anyone', response: z.strictObject({}), isHidden: true },
  }),
);
const document: any = makeOpenApi(definitions, { version: '1.2.3', url: 'https://croft.test', cookieName: 'croft' });
const { paths } = document;

it('describes the server and its ways to sign in', () => {
  expect([document.openapi, document.info, document.servers, document.tags]).toEqual([
    '3.1.0',
    { title: 'Croft', version: '1.2.3' },
    [{ url: 'https://croft.test' }],
    [{ name: 'Cards' }],
  ]);
  const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
  expect(document.components).toEqual({
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'An API key of this server' },
      session: { type: 'apiKey', in: 'cookie', name: 'croft' },
      machineKey: inHeader('X-Gateway-Key', 'The key of a connected machine'),
      keyHeader: inHeader('X-Croft-Key', 'An API key of this server'),
    },
  });
});

it('has each route under its path and method, and no hidden one', () => {
  expect(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods as object)])).toEqual([
    ['/cards/{id}', ['get', 'put']],
    ['/page', ['get']],
    ['/hub', ['get']],
    ['/mcp', ['post']],
  ]);
  expect(paths['/cards/{id}'].get).toMatchObject({ operationId: 'getCard', tags: ['Cards'], summary: 'A card' });
});

it('says who may call a route', () => {
  const security = (path: string, method = 'get') => paths[path][method].security;
  expect(security('/cards/{id}')).toEqual([{ key: [] }, { session: [] }]);
  expect(security('/cards/{id}', 'put')).toEqual([{ session: [] }]);
  expect([security('/page'), security('/hub'), security('/mcp', 'post')]).toEqual([
    [],
    [{ machineKey: [] }],
    [{ keyHeader: [] }],
  ]);
});

it('describes parameters and bodies as a client sends them', () => {
  expect(paths['/cards/{id}'].get.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'size', in: 'query', required: true, schema: { type: 'string', enum: ['s', 'm'] } },
    { name: 'page', in: 'query', required: false, schema: { type: 'string' } },
  ]);
  const { requestBody } = paths['/cards/{id}'].put;
  expect(requestBody.required).toBe(true);
  expect(requestBody.content['application/json'].schema).not.toHaveProperty('required');
  expect(paths['/mcp'].post.requestBody.content).toEqual({ 'application/octet-stream': {} });
  expect(paths['/page'].get).not.toHaveProperty('requestBody');
});

it('describes answers, other states and errors by their status', () => {
  const get = paths['/cards/{id}'].get.responses;
  expect(get[200].content['application/json'].schema.required).toEqual(['id']);
  expect(get[404]).toEqual({
    description: 'not_found',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            error: {
              type: 'object',
              properties: { code: { type: 'string', enum: ['not_found'] }, message: { type: 'string' } },
              required: ['code', 'message'],
              additionalProperties: false,
            },
          },
          required: ['error'],
          additionalProperties: false,
        },
      },
    },
  });
  const put = paths['/cards/{id}'].put.responses;
  expect([put[201].description, put[200], put[409].description]).toEqual(['Success', undefined, 'Another state']);
  const page = paths['/page'].get.responses;
  expect([page[200], page[206].description]).toEqual([
    { description: 'The page', content: { 'text/html': { schema: { type: 'string' } }, 'image/png': {} } },
    'The page',
  ]);
  expect(Object.keys(paths['/hub'].get.responses)).toEqual(['200', 'default']);
  const error = {
    type: 'object',
    properties: { code: { type: ['string', 'number'] }, message: { type: 'string' } },
    required: ['code', 'message'],
    additionalProperties: {},
  };
  expect(paths['/hub'].get.responses.default).toEqual({
    description: 'An error',
    content: { 'application/json': { schema: error } },
  });
  expect(paths['/mcp'].post.responses.default.content['application/json'].schema).toEqual({
    type: 'object',
    properties: { jsonrpc: { type: 'string', const: '2.0' }, error },
    required: ['jsonrpc', 'error'],
    additionalProperties: {},
  });
});

it('has all codes of a status in one response, and none where the status has a body of its own', () => {
  const { responses } = paths['/cards/{id}'].get;
  expect(responses[401].description).toBe('not_signed_in');
  const byStatus = Object.entries(responses as Record<string, { description: string }>).map(
    ([status, { description }]) => [Number(status), description.split(', ')] as const,
  );
  for (const [status, codes] of byStatus)
    if (status !== 200)
      for (const code of codes) expect([code, PROBLEM_STATUS[code as ProblemCode]]).toEqual([code, status]);
  expect(paths['/cards/{id}'].put.responses[409]).toEqual({
    description: 'Another state',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { other: { type: 'boolean' } },
          required: ['other'],
          additionalProperties: false,
        },
      },
    },
  });
});

it('has the parameters of a path without a query, and a body as JSON', () => {
  expect(paths['/cards/{id}'].put).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] });
  expect(paths['/page'].get).toMatchObject({ operationId: 'page', tags: ['Cards'], summary: 'Page', parameters: [] });
  expect(paths['/cards/{id}'].put.requestBody.content).toEqual({
    'application/json': {
      schema: { type: 'object', properties: { at: { default: 1, type: 'number' } }, additionalProperties: false },
    },
  });
  expect(paths['/cards/{id}'].get.responses[200].content['application/json'].schema).not.toHaveProperty('$schema');
});
