import { z } from 'zod';
import { docsRoutes } from '../contract/docs-routes.ts';
import { type Access, isRaw, type RouteDefinition, splitRoute } from '../contract/define-route.ts';
import { escapeHtml } from '../pages/layout.ts';
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
  const areas = [...new Set(shown.map(({ tag }) => tag))].map(
    (area) =>
      `<h2>${escapeHtml(area)}</h2>${shown
        .filter(({ tag }) => tag === area)
        .map(renderRoute)
        .join('')}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Croft API</title>
<style>${STYLE}</style><script type="module" src="docs.js"></script></head>
<body><main><h1>Croft API</h1>
<p>All addresses start with <code>${escapeHtml(url)}</code>. Programs send an API key as <code>Authorization: Bearer croft_…</code>. Pages use their session, and send the header <code>X-Croft: 1</code> with every change. An error is <code>{"error": {"code", "message"}}</code>. The same as <a href="openapi.json">OpenAPI</a>. MCP is at <code>/mcp</code>. Requests sent from this page use your session and change real data.</p>
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

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.55 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:2rem 1.25rem}details{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent);padding:.5rem 0}summary{cursor:pointer}label{display:block;margin:.5rem 0}input:not([type=file]),textarea{display:block;width:100%;box-sizing:border-box;font:13px ui-monospace,Menlo,Consolas,monospace;padding:.4rem}button{font:inherit;padding:.3rem .8rem}output{display:block;white-space:pre-wrap;font:13px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;margin-top:.75rem}code{font:13px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}';
