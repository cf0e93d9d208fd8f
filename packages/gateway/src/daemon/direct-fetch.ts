import {
  type Agent,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type RequestOptions,
} from 'node:http';
import type { Answer, Fetch } from './fetch-answer.ts';

/** One way of the two to make requests. */
interface Transport {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/**
 * Requests made straight with `node:http`: the built-in `fetch` takes several times as long for each, and a call's
 * answer is one of them. Connections are kept; redirects are answers like any other.
 */
export function directFetch(): Fetch {
  const plain: Transport = { request, agent: new HttpAgent({ keepAlive: true }) };
  let secure: Promise<Transport> | undefined;
  const overTls = async (): Promise<Transport> => {
    // Most of what TLS needs is only loaded for it.
    const https = await import('node:https');
    return { request: https.request, agent: new https.Agent({ keepAlive: true }) };
  };
  return async (address, init) => {
    const url = new URL(address);
    secure ??= url.protocol === 'https:' ? overTls() : undefined;
    const transport = url.protocol === 'https:' ? ((await secure) as Transport) : plain;
    try {
      return await exchange(transport, url, init);
    } catch (error) {
      // The server closed a kept connection in the moment it was used again: nothing of this was read there.
      if (!(error instanceof StaleConnection) || init.signal.aborted) throw error;
      return exchange(transport, url, init);
    }
  };
}

class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

function exchange({ request, agent }: Transport, url: URL, init: Parameters<Fetch>[1]): Promise<Answer> {
  const { method = 'GET', headers, body, signal } = init;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new DOMException('Nobody waits for it', 'AbortError'));
    const req = request(url, { method, headers: { ...headers, ...length }, agent });
    // Not by the `signal` option: it fails the socket itself, and where that was let go just then nobody catches it.
    const onAbort = (): void => {
      reject(new DOMException('Nobody waits for it', 'AbortError'));
      req.destroy();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    req.once('close', () => signal.removeEventListener('abort', onAbort));
    req.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = req.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    req.once('response', (res) => {
      // What goes wrong from here on is told to whoever reads the body, if anybody still does.
      for (const one of [req, res]) one.on('error', () => {});
      resolve(toAnswer(res));
    });
    req.end(body);
  });
}

function toAnswer(res: IncomingMessage): Answer {
  return {
    status: res.statusCode ?? 0,
    headers: {
      get(name) {
        const value = res.headers[name];
        return value === undefined ? null : String(value);
      },
    },
    body: res,
  };
}
