import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { defineRoutes, raw } from '../contract/define-route.ts';
import { makeDocsRoutes } from './docs-routes.ts';

const definitions = Object.values(
  defineRoutes('Cards <b>', {
    putCard: {
      route: 'PUT /cards/{id}',
      summary: 'Store a <card>',
      access: 'admin',
      query: z.object({ size: z.string(), page: z.string().optional() }),
      body: z.strictObject({ text: z.string(), list: z.array(z.string()), more: z.string().optional() }),
      response: z.strictObject({}),
    },
    upload: {
      route: 'POST /upload',
      summary: 'Upload',
      access: 'caller',
      body: raw('A file', ['*/*']),
      response: z.strictObject({}),
    },
    hidden: { route: 'GET /hidden', summary: 'Hidden', access: 'anyone', response: z.strictObject({}), isHidden: true },
  }),
);
let asked = 0;
const ask = routeCaller(
  makeDocsRoutes({ cookie: { name: 'croft' }, version: '1', url: () => 'https://croft.test' }, () => {
    asked++;
    return definitions;
  }),
);

it('lists the routes, with a form for each', async () => {
  const { text } = await ask('GET /api/docs');
  expect(text).toContain('<a href="#area-0">Cards &#60;b&#62;</a>');
  expect(text).toContain('<h2 id="area-0">Cards &#60;b&#62;</h2>');
  expect(text).toContain('<code>PUT /cards/{id}</code> Store a &#60;card&#62;');
  expect(text).toContain('data-method="PUT" data-path="/cards/{id}"');
  expect(text).toContain('<input name="id" data-in="path" required>');
  expect(text).toContain('<input name="size" data-in="query" required>');
  expect(text).toContain('page (optional) <input name="page" data-in="query">');
  expect(text).toContain('an admin · <code>putCard</code>');
  expect(text).not.toContain('Hidden');
});

it('fills a body with its required fields, and takes a file where the body is one', async () => {
  const { text } = await ask('GET /api/docs');
  expect(text).toContain('{\n  &#34;text&#34;: &#34;&#34;,\n  &#34;list&#34;: []\n}</textarea>');
  expect(text).toContain('<input type="file" name="file">');
});

it('makes the OpenAPI document once', async () => {
  const first = await ask('GET /api/openapi.json');
  asked = 0;
  const again = await ask('GET /api/openapi.json');
  expect([first.body.openapi, again.body, asked]).toEqual(['3.1.0', first.body, 0]);
});

it('needs a caller for all but the script, which is not a page', async () => {
  expect((await ask('GET /api/docs', { caller: 'nobody' })).status).toBe(401);
  expect((await ask('GET /api/openapi.json', { caller: 'nobody' })).status).toBe(401);
  const script = await ask('GET /api/docs.js', { caller: 'nobody' });
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(() => new Script(`async () => {${script.text}}`)).not.toThrow();
});
