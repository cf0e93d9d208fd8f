import type { HttpEndpoint } from '@croft/mcp';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { ownHostOnly, rpcError } from './local-only.ts';
import { KEY_HEADER, renderDoor, renderOpened } from './pages/door.ts';
import { type Overview, renderHome, renderRecent } from './pages/home.ts';
import { renderUsed } from './pages/locked.ts';
import { isSession, issueSession, type OneTimeCode, sameSecret } from './token-file.ts';

/** What the app is made of. */
export interface AppParts {
  readonly endpoint: HttpEndpoint;
  /** The bearer of `/mcp`; `undefined` leaves the server open to every local program. */
  readonly token: string | undefined;
  /** Signs the page's key. */
  readonly pageSecret: string;
  readonly oneTimeCode: OneTimeCode;
  readonly hostnames: readonly string[];
  /** Where people come through a proxy. */
  readonly publicUrl?: string | undefined;
  readonly version: string;
  readonly overview: () => Overview;
}

/**
 * The server's routes. Loopback is no user boundary: what the page shows wants its key, `/mcp` its bearer, and both a
 * Host and Origin of our own. Anybody gets the empty page and `/healthz`.
 */
export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.use(ownHostOnly(parts.hostnames, parts.publicUrl));
  app.use(
    secureHeaders({
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
      crossOriginResourcePolicy: 'same-origin',
      // Spoken over plain http it means nothing; over https it is the proxy's to promise.
      strictTransportSecurity: false,
    }),
  );
  app.get('/healthz', (context) => context.json({ status: 'ok', version: parts.version }));
  const mayEnter = (context: Context): boolean => isSession(parts.pageSecret, context.req.header(KEY_HEADER));
  const told = (context: Context, render: () => string): Response | Promise<Response> =>
    mayEnter(context) ? context.html(render(), 200, { 'Cache-Control': 'no-store' }) : context.text('', 401);
  app.get('/open', (context) => {
    // A HEAD is a link preview, not a person: it must not use the code up.
    if (context.req.method !== 'GET' || !parts.oneTimeCode.redeem(context.req.query('code') ?? ''))
      return html(context, renderUsed(), 403);
    return html(context, renderOpened(issueSession(parts.pageSecret)), 200);
  });
  app.get('/', (context) => html(context, renderDoor(), 200));
  app.get('/page', (context) => told(context, () => renderHome(parts.overview())));
  app.get('/activity', (context) => told(context, () => renderRecent(parts.overview())));
  app.all('/mcp', async (context) => {
    if (parts.token !== undefined && !bearerMatches(context, parts.token)) {
      context.header('WWW-Authenticate', 'Bearer');
      return context.json(rpcError('Unauthorized: send the bearer token of this server'), 401);
    }
    return parts.endpoint.fetch(context.req.raw);
  });
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  return app;
}

function bearerMatches(context: Context, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  return given !== undefined && sameSecret(given, token);
}

interface Page {
  readonly body: string;
  readonly nonce: string;
}

function html(context: Context, page: Page, status: 200 | 403): Response {
  const csp = `default-src 'none'; style-src 'nonce-${page.nonce}'; script-src 'nonce-${page.nonce}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return context.html(page.body, status, { 'Content-Security-Policy': csp, 'Cache-Control': 'no-store' });
}
