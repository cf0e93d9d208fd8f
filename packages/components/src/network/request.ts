import { ComponentError, type Services } from '../services.ts';
import { NetworkError } from './network-error.ts';
import { readBounded } from './read-bounded.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const USER_AGENT = 'Croft/1.0';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly followRedirects?: boolean;
  readonly timeoutMs: number;
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

export interface ReceivedResponse {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * Sends a request through the network of the run and reads the whole response, 10 MiB unless `maxBytes` is given.
 *
 * @throws NetworkError; ComponentError where the run has no network; the reason of the signal where it is aborted
 */
export async function request(services: Services, url: string, options: RequestOptions): Promise<ReceivedResponse> {
  const { fetch } = services;
  if (fetch === undefined)
    throw new ComponentError('This run has no network.', 'Run the flow with croft run, which may use the network.');
  const late = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(url, {
      method: options.method ?? 'GET',
      headers: { 'user-agent': USER_AGENT, ...options.headers },
      redirect: options.followRedirects === true ? 'follow' : 'manual',
      signal: AbortSignal.any([options.signal, late]),
      ...(options.body !== undefined && { body: options.body }),
    });
    const body = await readBounded(response, options.maxBytes ?? MAX_BYTES);
    return { url: response.url, status: response.status, headers: response.headers, body };
  } catch (error) {
    options.signal.throwIfAborted();
    if (late.aborted)
      throw new NetworkError(
        'timed_out',
        `The server did not answer within ${options.timeoutMs / 1_000} s.`,
        'Raise the timeout, or try again later.',
      );
    if (!(error instanceof TypeError)) throw error;
    // Undici reports a connection that ends inside the body as a TypeError.
    throw new NetworkError('unreachable', 'The connection ended before the response was complete.', 'Try again.');
  }
}
