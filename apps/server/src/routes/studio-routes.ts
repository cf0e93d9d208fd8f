import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { acceptedEncoding, type ContentEncoding } from '../edge/content-encoding.ts';
import type { App } from './route.ts';
import { escapeHtml } from '../pages/layout.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
/** Vite writes a digest of the content into these names. */
const HASHED = /^\/assets\/.*-[\w-]{8,}\.\w+$/;

/**
 * Serves the built studio: its files by name, and index.html for every other address that a browser navigates to. Lists
 * the files when the server starts, so that no path is built from a request.
 */
export function addStudio(app: App, studioDir: string | undefined, basePath: string): void {
  const files = studioDir === undefined ? new Map<string, string>() : listFiles(studioDir);
  const index = files.get('/index.html');
  const page = withBase(index === undefined ? NO_STUDIO : readFileSync(index, 'utf8'), basePath);
  app.get('*', (context) => {
    const { path } = context.req;
    const file = path === '/index.html' ? undefined : files.get(path);
    if (file !== undefined) {
      const encoding = acceptedEncoding(
        context.req.header('accept-encoding'),
        ENCODINGS.filter(hasEncoding(files, path)),
      );
      return new Response(new Uint8Array(readFileSync(encoding === undefined ? file : `${file}${ENDINGS[encoding]}`)), {
        headers: {
          'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
          'Cache-Control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
          Vary: 'Accept-Encoding',
          ...(encoding !== undefined && { 'Content-Encoding': encoding }),
        },
      });
    }
    // Unknown API, asset and well-known paths get 404, not index.html: an MCP client that looks for OAuth metadata
    // (RFC 8414, RFC 9728) takes any 200 for the metadata and fails to parse the page.
    // It looks below its own address, too (OpenID Connect Discovery).
    if (
      /^\/(api|assets|hooks|instance-ai|rest|dl|guard|mcp|favicon\.ico|metrics|robots\.txt)(\/|$)|\/\.well-known(\/|$)/i.test(
        path,
      )
    )
      return context.notFound();
    return context.html(page, 200, { 'Cache-Control': 'no-cache' });
  });
}

/** The build writes compressed copies beside the files that they make smaller. */
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip'];
const ENDINGS: Readonly<Record<ContentEncoding, string>> = { br: '.br', gzip: '.gz' };

const hasEncoding =
  (files: ReadonlyMap<string, string>, path: string) =>
  (encoding: ContentEncoding): boolean =>
    files.has(`${path}${ENDINGS[encoding]}`);

function listFiles(dir: string, prefix = ''): Map<string, string> {
  const files = new Map<string, string>();
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return files;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = `${prefix}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile()) files.set(path, join(dir, entry.name));
    else if (entry.isDirectory()) for (const [name, at] of listFiles(join(dir, entry.name), path)) files.set(name, at);
  }
  return files;
}

/** All addresses in the page are relative to this one. */
function withBase(html: string, basePath: string): string {
  const base = `<base href="${escapeHtml(basePath)}">`;
  const bare = html.replace(/<base\b[^>]*>/i, '');
  return bare.replace(/<head([^>]*)>/i, `<head$1>${base}`);
}

const NO_STUDIO = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Croft</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem"><h1>Croft is running</h1>
<p>The pages are not built here. In a checkout, run <code>npm start</code>. MCP and REST work: see <a href="api/docs">the API</a>.</p></body></html>`;
