import { z } from 'zod';
import type { Parts } from '../parts.ts';
import { escapeHtml } from '../local/pages/layout.ts';
import { type App, type EndpointSpec, isForPeople } from './endpoint.ts';
import { notSignedIn } from '../problem.ts';

type Spec = EndpointSpec<unknown, unknown>;

/** The documentation of the REST endpoints: as OpenAPI, and as a plain page. Both come from what the endpoints say. */
export function addDocsRoutes(app: App, parts: Parts, specs: readonly Spec[]): void {
  let document: Promise<object> | undefined;
  const shown = () => specs.filter(({ isHidden }) => !isHidden);
  app.get('/api/openapi.json', async (context) => {
    if ((await parts.identify(context.env.incoming)) === undefined) throw notSignedIn();
    document ??= makeDocument(shown(), parts);
    return context.json(await document);
  });
  app.get('/api/docs', async (context) => {
    if ((await parts.identify(context.env.incoming)) === undefined) throw notSignedIn();
    return context.html(renderDocs(shown(), parts));
  });
}

const ERROR = {
  description: 'A refusal: a code for programs and a sentence for people',
  content: {
    'application/json': {
      schema: z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
    },
  },
};

/** Loads the generator when somebody asks for the first time. */
async function makeDocument(specs: readonly Spec[], parts: Parts): Promise<object> {
  const { OpenAPIHono } = await import('@hono/zod-openapi');
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'session', { type: 'apiKey', in: 'cookie', name: parts.cookie.name });
  for (const spec of specs) {
    const names = [...spec.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    registry.registerPath({
      method: spec.method,
      path: spec.path.replace(/:(\w+)/g, '{$1}'),
      summary: spec.summary,
      ...(spec.access !== 'anyone' && {
        security: isForPeople(spec.access) ? [{ session: [] }] : [{ key: [] }, { session: [] }],
      }),
      parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      request: {
        ...(spec.query && { query: spec.query as never }),
        ...(spec.body && { body: { content: { 'application/json': { schema: spec.body } } } }),
      },
      responses: {
        [spec.status ?? 200]: {
          description: 'Done',
          ...(spec.answer && { content: { 'application/json': { schema: spec.answer } } }),
        },
        default: ERROR,
      },
    });
  }
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Croft', version: parts.version },
    servers: [{ url: parts.url() }],
  });
}

const WHO = {
  anyone: 'anybody',
  caller: 'a session or an API key',
  session: 'a session',
  admin: 'an admin',
  'admin-session': 'a session of an admin',
} as const;

function renderDocs(specs: readonly Spec[], parts: Parts): string {
  const rows = specs.map(
    ({ method, path, summary, access, query, body }) =>
      `<tr><td><code>${method.toUpperCase()}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}${fieldsOf('query', query)}${fieldsOf('body', body)}</td><td>${WHO[access]}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Croft API</title>
<style>:root{color-scheme:light dark}body{font:15px/1.55 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:2rem 1.25rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}code{font:13px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}small{opacity:.75;display:block}</style></head>
<body><main><h1>Croft API</h1>
<p>All addresses are below <code>${escapeHtml(parts.url())}</code>. Send an API key as <code>Authorization: Bearer croft_…</code>, or use the session of the page; then a request that changes something is sent as JSON with the header <code>X-Croft: 1</code>. Errors are <code>{"error": {"code", "message"}}</code>. The same as <a href="openapi.json">OpenAPI</a>. MCP is at <code>/mcp</code>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>What</th><th>Who</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`;
}

function fieldsOf(where: string, schema: unknown): string {
  const names = Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
  return names.length === 0
    ? ''
    : `<small>${where}: ${names.map((name) => `<code>${escapeHtml(name)}</code>`).join(', ')}</small>`;
}
