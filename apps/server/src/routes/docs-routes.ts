import { z } from 'zod';
import { docsRoutes } from '../contract/docs-routes.ts';
import { type Access, isRaw, type RouteDefinition, splitRoute } from '../contract/define-route.ts';
import { COLOURS, escapeHtml } from '../pages/layout.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { makeOpenApi } from './openapi.ts';
import { type Route, route } from './route.ts';

export interface DocsRouteOptions {
  readonly cookie: { readonly name: string };
  readonly version: string;
  /** The address of the server, without a slash at the end. */
  readonly url: () => string;
}

/** The documentation of routes: an OpenAPI document, and a page on which each can be tried. */
export function makeDocsRoutes(options: DocsRouteOptions, definitions: () => readonly RouteDefinition[]): Route[] {
  let document: object | undefined;
  return [
    route(docsRoutes.getOpenApi, ({ context }) => {
      document ??= makeOpenApi(definitions(), {
        version: options.version,
        url: options.url(),
        cookieName: options.cookie.name,
      });
      return context.json(document);
    }),
    route(docsRoutes.getDocs, ({ context }) => context.html(renderDocs(definitions(), options.url()))),
    route(docsRoutes.getDocsScript, () => {
      return new Response(DOCS_SCRIPT, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
    }),
  ];
}

const WHO: Readonly<Record<Access, string>> = {
  anyone: 'anyone',
  caller: 'a session or an API key',
  session: 'a session',
  admin: 'an admin',
  'admin-session': 'a session of an admin',
  'machine-key': 'a connected machine, by its gateway key',
  'key-header': 'an API key in X-Croft-Key',
};

function renderDocs(definitions: readonly RouteDefinition[], url: string): string {
  const shown = definitions.filter(({ isHidden }) => !isHidden);
  const names = [...new Set(shown.map(({ tag }) => tag))];
  const links = names.map((area, index) => `<a href="#area-${index}">${escapeHtml(area)}</a>`);
  const areas = names.map(
    (area, index) =>
      `<h2 id="area-${index}">${escapeHtml(area)}</h2>${shown
        .filter(({ tag }) => tag === area)
        .map(renderRoute)
        .join('')}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Croft API</title>
<style>${STYLE}</style><script type="module" src="docs.js"></script></head>
<body><main><p><a href="..">Back to Croft</a></p><h1>Croft API</h1>
<p>Programs send an API key as <code>Authorization: Bearer croft_…</code> to <code>${escapeHtml(url)}</code>. Pages use their session: a change needs the header <code>Origin</code> with the address of this server, which browsers send, and JSON or the header <code>X-Croft: 1</code>. An error is <code>{"error": {"code", "message"}}</code>.</p>
<p>Tools read this list as an <a href="openapi.json">OpenAPI document</a>. MCP clients use <code>/mcp</code> and <code>/mcp/flows</code>.</p>
<p class="warn">The forms on this page use your session and change real data.</p>
<nav aria-label="Areas">${links.join('')}</nav>
${areas.join('\n')}</main></body></html>`;
}

function renderRoute({ route: key, operationId, summary, access, query, body }: RouteDefinition): string {
  const [method, path] = splitRoute(key);
  const inputs = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => field(name as string, 'path', true));
  for (const [name, required] of fieldsOf(query)) inputs.push(field(name, 'query', required));
  if (body !== undefined)
    inputs.push(
      isRaw(body)
        ? '<label>body <input type="file" name="file"></label>'
        : `<label>body <textarea name="body" rows="4">${escapeHtml(sampleOf(body))}</textarea></label>`,
    );
  return `<details><summary><code>${method} ${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}" aria-label="${operationId}"><p>${WHO[access]} · <code>${operationId}</code></p>${inputs.join('')}<button>Send the request</button><output></output></form></details>`;
}

function field(name: string, where: 'path' | 'query', required: boolean): string {
  return `<label>${escapeHtml(name)}${required ? '' : ' (optional)'} <input name="${escapeHtml(name)}" data-in="${where}"${required ? ' required' : ''}></label>`;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

function fieldsOf(schema: z.ZodType | undefined): [name: string, required: boolean][] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = inputSchema(schema);
  return Object.keys(properties).map((name) => [name, required.includes(name)]);
}

/** A body with the required fields, to fill in. */
function sampleOf(schema: z.ZodType): string {
  const { properties = {}, required = [] } = inputSchema(schema);
  const empty = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} };
  const sample = required.map((name) => [name, empty[properties[name]?.type as keyof typeof empty] ?? null]);
  return JSON.stringify(Object.fromEntries(sample), null, 2);
}

function inputSchema(schema: z.ZodType): ObjectSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
}

const STYLE = `${COLOURS}*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.75rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;letter-spacing:-.02em;margin:.75rem 0 .5rem}
h2{font-size:1.1rem;margin:2rem 0 .6rem}
p{margin:.4rem 0;color:var(--soft);max-width:75ch}
p.warn{color:var(--ink);font-weight:600}
a{color:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:.35rem .9rem;margin:1.25rem 0}
details{background:var(--panel);border:1px solid var(--line);border-top-width:0;padding:.55rem 1rem}
h2+details{border-top-width:1px;border-radius:10px 10px 0 0}
details:has(+h2),details:last-child{border-radius:0 0 10px 10px}
h2+details:has(+h2),h2+details:last-child{border-radius:10px}
summary{cursor:pointer;color:var(--soft)}
summary code{color:var(--ink);margin-right:.35rem}
label{display:block;margin:.5rem 0}
input:not([type=file]),textarea{display:block;width:100%;font:13px ui-monospace,Menlo,Consolas,monospace;padding:.45rem .6rem;color:inherit;background:var(--bg);border:1px solid var(--soft);border-radius:8px}
button{font:inherit;font-weight:600;padding:.4rem .9rem;color:var(--bg);background:var(--accent);border:0;border-radius:8px;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
output{display:block;white-space:pre-wrap;font:13px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;margin-top:.75rem}
code{font:13px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
`;
