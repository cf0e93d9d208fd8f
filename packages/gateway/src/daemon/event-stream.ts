import { MAX_CONTENT_BYTES } from '@croft/tools';
import { createParser } from 'eventsource-parser';
import type { GatewayClient, Reply } from './gateway-client.ts';
import { readReply } from './gateway-client.ts';

/** How one event stream ended. */
export type StreamEnd =
  /** The server's reply was not a stream. */
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** The stream was lost or never opened. `why` completes a sentence. */
  | { readonly kind: 'lost'; readonly why: string };

export interface StreamOptions {
  readonly client: GatewayClient;
  readonly lastEventId: string | undefined;
  readonly keyInQuery: boolean;
  /**
   * Time without a byte, in milliseconds, after which the connection counts as dead. Must be longer than the interval
   * of pings.
   */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  onOpen(): void;
  /** Receives one event. Must not throw. */
  onEvent(data: string, id: string | undefined): void;
}

/** An event contains the arguments of one call: content up to the tools' limit, at most six characters per byte. */
const MAX_EVENT_CHARS = 6 * MAX_CONTENT_BYTES + 2 * 1024 * 1024;

/**
 * Reads the server's events until the stream ends, falls silent, or the signal aborts. Never rejects. The watchdog
 * counts bytes and not events, because pings are comments; it also covers the wait for the headers.
 */
export async function readEvents(options: StreamOptions): Promise<StreamEnd> {
  const ending = new AbortController();
  let isSilent = false;
  const watchdog = setTimeout(() => {
    isSilent = true;
    ending.abort();
  }, options.silenceMs);
  const onAbort = (): void => ending.abort();
  // If `fetch` is aborted at the moment the server ends the stream, a pending read never settles.
  const over = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('the stream was closed')), { once: true });
  });
  if (options.signal.aborted) onAbort();
  else options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([follow(options, ending.signal, () => watchdog.refresh()), over]);
  } catch (error) {
    if (isSilent)
      return { kind: 'lost', why: `the server sent nothing for ${Math.round(options.silenceMs / 1_000)} s` };
    return { kind: 'lost', why: networkReason(error) };
  } finally {
    clearTimeout(watchdog);
    options.signal.removeEventListener('abort', onAbort);
    ending.abort();
  }
}

async function follow(options: StreamOptions, ending: AbortSignal, onBytes: () => void): Promise<StreamEnd> {
  const response = await options.client.events(options.lastEventId, options.keyInQuery, ending);
  const isStream = response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;
  if (response.status !== 200 || !isStream || response.body === null)
    return { kind: 'refused', reply: await readReply(response, options.now()) };
  options.onOpen();
  let isTooLarge = false;
  const parser = createParser({
    onEvent: ({ data, id }) => options.onEvent(data, id),
    maxBufferSize: MAX_EVENT_CHARS,
    onError: (error) => {
      isTooLarge ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const part of response.body) {
    if (ending.aborted) break;
    onBytes();
    parser.feed(decoder.decode(part, { stream: true }));
    if (isTooLarge) throw new Error('an event was too large');
  }
  return { kind: 'lost', why: 'the server ended the connection' };
}

/** Why a request failed, from the error of `fetch`. Completes a sentence. */
export function networkReason(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause ?? error;
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its name cannot be looked up';
    case 'EPROTO':
      return 'it does not speak TLS: is it http:// there?';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was cut';
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'it does not answer';
  }
  if (isUntrusted(error))
    return `its certificate is not trusted (${String(code)}); name your authority's in NODE_EXTRA_CA_CERTS`;
  if ((error as { name?: unknown } | null)?.name === 'AbortError') return 'it does not answer';
  return typeof message === 'string' && message !== '' ? message : 'it cannot be reached';
}

/** Whether an error of `fetch` means that the server's name does not exist. `EAI_AGAIN` is a name server that is away. */
export function isUnknownName(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown } | null)?.cause ?? error ?? {}) as { code?: unknown };
  return code === 'ENOTFOUND';
}

/** Whether an error of `fetch` means an untrusted server certificate, which retrying does not fix. */
export function isUntrusted(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown } | null)?.cause ?? error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code);
}
