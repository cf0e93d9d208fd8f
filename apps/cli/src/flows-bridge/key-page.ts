import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_BODY_BYTES = 4_096;
const OPEN_MS = 10 * 60_000;

/** A page of this machine on which a person gives a key of the server. The key reaches neither the client nor its model. */
export interface KeyPage {
  readonly url: string;
  /** The key that the server accepted; `undefined` where the page was closed first. */
  readonly key: Promise<string | undefined>;
  close(): void;
}

export interface KeyPageOptions {
  readonly server: string;
  /** Whether the server accepts the key. */
  readonly accepts: (key: string) => Promise<boolean>;
}

/** Opens the page on 127.0.0.1, at a random address. It closes after ten minutes. */
export async function openKeyPage({ server, accepts }: KeyPageOptions): Promise<KeyPage> {
  const path = `/${randomBytes(24).toString('base64url')}`;
  let settle: (key: string | undefined) => void = () => undefined;
  const key = new Promise<string | undefined>((resolve) => {
    settle = resolve;
  });
  const http = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Another name for this address is that of a foreign page.
    if (request.url !== path || request.headers.host !== `127.0.0.1:${port}`) return send(response, 404, 'Not found.');
    if (request.method !== 'POST') return send(response, 200, form(server, path));
    const given = new URLSearchParams(await bodyOf(request)).get('key')?.trim() ?? '';
    if (!(await accepts(given)))
      return send(response, 400, form(server, path, 'The server does not accept this key. Copy it again.'));
    send(response, 200, '<p>Signed in. You can close this page.</p>');
    settle(given);
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const close = () => {
    settle(undefined);
    clearTimeout(timer);
    http.close();
    http.closeIdleConnections();
  };
  const timer = setTimeout(close, OPEN_MS).unref();
  http.unref();
  void key.then(close);
  return { url: `http://127.0.0.1:${port}${path}`, key, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) throw new Error('the form is too large');
  }
  return text;
}

function send(response: ServerResponse, status: number, content: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in to Croft</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin-top:.5rem}</style>${content}</html>`;
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  });
  response.end(page);
}

function form(server: string, path: string, problem?: string): string {
  const shown = escaped(server);
  return `<h1>Sign in to Croft</h1><p>A program on this machine asks for your flows on <b>${shown}</b>. If you did not start it, close this page.</p><ol><li>Make an API key at <a href="${shown}/settings" target="_blank" rel="noreferrer">${shown}/settings</a>.</li><li>Paste it here:</li></ol>${problem === undefined ? '' : `<p role="alert">${problem}</p>`}<form method="post" action="${path}"><label>API key<input type="password" name="key" autocomplete="off" required autofocus></label><button>Sign in</button></form>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
