import type { Context } from 'hono';
import type { LocalSessions } from '../local-session.ts';
import { KEY_HEADER, renderEntrance, renderOpened } from '../pages/entrance.ts';
import { type Overview, renderHome, renderRecent } from '../pages/home.ts';
import { renderUsed } from '../pages/locked.ts';
import type { App } from '../routes/route.ts';

export interface PageRouteOptions {
  readonly sessions: Pick<LocalSessions, 'isValid' | 'issue' | 'redeem'>;
  readonly version: string;
  readonly overview: () => Overview;
}

/** The page that says how to connect and what agents did. Without its key it is empty. */
export function addPageRoutes(app: App, { sessions, version, overview }: PageRouteOptions): void {
  const withKey = (context: Context, render: () => string): Response | Promise<Response> =>
    sessions.isValid(context.req.header(KEY_HEADER))
      ? context.html(render(), 200, { 'Cache-Control': 'no-store' })
      : context.text('', 401);
  app.get('/healthz', (context) => context.json({ status: 'ok', version }));
  app.get('/open', (context) => {
    // A HEAD request is a link preview: it must not use up the code.
    if (context.req.method !== 'GET' || !sessions.redeem(context.req.query('code') ?? ''))
      return html(context, renderUsed(), 403);
    return html(context, renderOpened(sessions.issue()), 200);
  });
  app.get('/', (context) => html(context, renderEntrance(), 200));
  app.get('/page', (context) => withKey(context, () => renderHome(overview())));
  app.get('/activity', (context) => withKey(context, () => renderRecent(overview())));
  app.all('*', (context) => context.json({ error: 'Not found' }, 404));
}

interface Page {
  readonly body: string;
  readonly nonce: string;
}

function html(context: Context, page: Page, status: 200 | 403): Response {
  const csp = `default-src 'none'; style-src 'nonce-${page.nonce}'; script-src 'nonce-${page.nonce}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return context.html(page.body, status, { 'Content-Security-Policy': csp, 'Cache-Control': 'no-store' });
}
