import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { type Access, defineRoutes, raw } from '../contract/define-route.ts';
import { makeDocsRoutes } from './docs-routes.ts';

const other = (at: number, access: Access) =>
  ({ route: `GET /o${at}`, summary: 'Other', access, response: z.strictObject({}) }) as const;
const definitions = [
  ...Object.values(
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
      hidden: {
        route: 'GET /hidden',
        summary: 'Hidden',
        access: 'anyone',
        response: z.strictObject({}),
        isHidden: true,
      },
      put: {
        route: 'PUT /put',
        summary: 'Put',
        access: 'caller',
        body: z.strictObject({
          ofText: z.string(),
          ofNumber: z.number(),
          ofInteger: z.int(),
          ofFlag: z.boolean(),
          ofList: z.array(z.string()),
          ofObject: z.strictObject({}),
          ofOthers: z.union([z.string(), z.number()]),
        }),
        response: z.strictObject({}),
      },
    }),
  ),
  ...Object.values(
    defineRoutes('Others', {
      anyone: other(0, 'anyone'),
      session: other(1, 'session'),
      adminSession: other(2, 'admin-session'),
      machineKey: other(3, 'machine-key'),
      keyHeader: other(4, 'key-header'),
    }),
  ),
];
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

it('puts each area under its link, with the text before them', async () => {
  const { text } = await ask('GET /api/docs');
  const page = text.replace(/<style>.*<\/style>/s, '');
  expect(page.slice(0, page.indexOf('<details>'))).toBe(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Croft API</title>
<script type="module" src="docs.js"></script></head>
<body><main><p><a href="..">Back to Croft</a></p><h1>Croft API</h1>
<p>Programs send an API key as <code>Authorization: Bearer croft_…</code> to <code>https://croft.test</code>. Pages use their session: a change needs the header <code>Origin</code> with the address of this server, which browsers send, and JSON or the header <code>X-Croft: 1</code>. An error is <code>{"error": {"code", "message"}}</code>.</p>
<p>Tools read this list as an <a href="openapi.json">OpenAPI document</a>. MCP clients use <code>/mcp</code> and <code>/mcp/flows</code>.</p>
<p class="warn">The forms on this page use your session and change real data.</p>
<nav aria-label="Areas"><a href="#area-0">Cards &#60;b&#62;</a><a href="#area-1">Others</a></nav>
<h2 id="area-0">Cards &#60;b&#62;</h2>`);
  expect(page.slice(page.indexOf('<h2 id="area-1">'))).toBe(
    `<h2 id="area-1">Others</h2>${['anyone', 'session', 'adminSession', 'machineKey', 'keyHeader']
      .map((id, at) => {
        const who = [
          'anyone',
          'a session',
          'a session of an admin',
          'a connected machine, by its gateway key',
          'an API key in X-Croft-Key',
        ][at];
        return `<details><summary><code>GET /o${at}</code> Other</summary>\n<form data-method="GET" data-path="/o${at}" aria-label="${id}"><p>${who} · <code>${id}</code></p><button>Send the request</button><output></output></form></details>`;
      })
      .join('')}</main></body></html>`,
  );
  expect(page).toContain('<p>a session or an API key · <code>upload</code></p>');
});

it('fills in an empty value of each type', async () => {
  const { text } = await ask('GET /api/docs');
  const body = /<textarea name="body" rows="4">(\{[^<]*of[^<]*)<\/textarea>/.exec(text)?.[1] ?? '';
  expect(JSON.parse(body.replaceAll('&#34;', '"'))).toEqual({
    ofText: '',
    ofNumber: 0,
    ofInteger: 0,
    ofFlag: false,
    ofList: [],
    ofObject: {},
    ofOthers: null,
  });
});

it('makes the OpenAPI document once', async () => {
  const first = await ask('GET /api/openapi.json');
  asked = 0;
  const again = await ask('GET /api/openapi.json');
  expect([first.body.openapi, again.body, asked]).toEqual(['3.1.0', first.body, 0]);
  expect([first.body.info.version, first.body.servers, first.body.components.securitySchemes.session.name]).toEqual([
    '1',
    [{ url: 'https://croft.test' }],
    'croft',
  ]);
});

it('needs a caller for all but the script, which is not a page', async () => {
  expect((await ask('GET /api/docs', { caller: 'nobody' })).status).toBe(401);
  expect((await ask('GET /api/openapi.json', { caller: 'nobody' })).status).toBe(401);
  const script = await ask('GET /api/docs.js', { caller: 'nobody' });
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(() => new Script(`async () => {${script.text}}`)).not.toThrow();
});
