import type { HttpEndpoint } from '@croft/mcp';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import { ownHostOnly, rpcError } from './local-only.ts';
import { type Overview, renderHome, renderRecent } from './pages/home.ts';
import { renderLocked } from './pages/locked.ts';
import { isSession, issueSession, type OneTimeCode, SESSION_MS, sameSecret } from './token-file.ts';

/** What the app is made of. */
export interface AppParts {
  readonly endpoint: HttpEndpoint;
  /** The bearer of `/mcp`; `undefined` leaves the server open to every local program. */
  readonly token: string | undefined;
  /** Signs the page's cookie. */
  readonly pageSecret: string;
  /** Has the port in it: cookies do not, and two servers of one person would log each other out. */
  readonly cookieName: () => string;
  readonly oneTimeCode: OneTimeCode;
  readonly hostnames: readonly string[];
  /** Where people come through a proxy. */
  readonly publicUrl?: string | undefined;
  /** People come over https, through a proxy: the cookie must not travel otherwise. */
  readonly https: boolean;
  readonly version: string;
  readonly overview: () => Overview;
}

/**
 * The server's routes. Loopback is no user boundary: the page wants its cookie, `/mcp` its bearer, and both a Host and
 * Origin of our own. Only `/healthz` answers anybody.
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
  const mayEnter = (context: Context): boolean => isSession(parts.pageSecret, getCookie(context, parts.cookieName()));
  app.get('/open', (context) => {
    // A HEAD is a link preview, not a person: it must not use the code up.
    if (context.req.method !== 'GET' || !parts.oneTimeCode.redeem(context.req.query('code') ?? ''))
      return html(context, renderLocked('used'), 403);
    // Strict would drop the cookie on the way here from a terminal's link; Lax sends it on plain navigation only.
    setCookie(context, parts.cookieName(), issueSession(parts.pageSecret), {
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: SESSION_MS / 1_000,
      secure: parts.https,
    });
    context.header('Cache-Control', 'no-store');
    return context.redirect('/');
  });
  app.get('/', (context) => {
    if (!mayEnter(context)) return html(context, renderLocked('no-cookie'), 401);
    return html(context, renderHome(parts.overview(), nonceOf()), 200);
  });
  app.get('/activity', (context) => {
    if (!mayEnter(context)) return context.text('', 401);
    return context.html(renderRecent(parts.overview()), 200, { 'Cache-Control': 'no-store' });
  });
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

function html(context: Context, page: Page, status: 200 | 401 | 403): Response {
  const csp = `default-src 'none'; style-src 'nonce-${page.nonce}'; script-src 'nonce-${page.nonce}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return context.html(page.body, status, { 'Content-Security-Policy': csp, 'Cache-Control': 'no-store' });
}

function nonceOf(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
}
