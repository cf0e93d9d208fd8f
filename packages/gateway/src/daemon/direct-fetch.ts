import {
  type Agent,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type RequestOptions,
} from 'node:http';
import type { Answer, Fetch } from './fetch-answer.ts';

/** One of the two ways to send requests. */
interface Transport {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/**
 * Sends requests with `node:http`, because the built-in `fetch` takes several times as long and every call's response
 * is one. Keeps connections open. Returns redirects like any other response.
 */
export function directFetch(): Fetch {
  const plain: Transport = { request, agent: new HttpAgent({ keepAlive: true }) };
  let secure: Promise<Transport> | undefined;
  const overTls = async (): Promise<Transport> => {
    // Load TLS only if it is needed.
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
      // The server closed an idle connection just when it was reused, so it read nothing of this request.
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
    if (signal.aborted) return reject(new DOMException('The request was cancelled', 'AbortError'));
    const req = request(url, { method, headers: { ...headers, ...length }, agent });
    // Not with the `signal` option: that fails the socket itself, and if the socket was just released, nothing catches
    // the error.
    const onAbort = (): void => {
      reject(new DOMException('The request was cancelled', 'AbortError'));
      req.destroy();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    req.once('close', () => signal.removeEventListener('abort', onAbort));
    req.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = req.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    req.once('response', (res) => {
      // Later errors reach the reader of the body, if there still is one.
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
