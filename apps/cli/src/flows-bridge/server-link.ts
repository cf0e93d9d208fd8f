import { z } from 'zod';

/** The version of MCP in which the bridge speaks to the server. Every message stands alone in it. */
const PROTOCOL = '2025-06-18';
const TIMEOUT_MS = 125_000;

/** The server refuses the key, or there is none. */
export class NotSignedIn extends Error {}

/** The server does not answer, or answers with a failure. The message is for a person and a model. */
export class ServerFailed extends Error {}

const response = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Requests to the flows of a Croft server. */
export interface ServerLink {
  readonly server: string;
  /** @throws NotSignedIn, ServerFailed */
  request(method: string, params: object, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

export interface ServerLinkOptions {
  /** The address of the server, without a slash at the end. */
  readonly server: string;
  readonly toolset: string;
  readonly key: () => string | undefined;
}

/** @param options `key` is read for each request, because a person may sign in between */
export function openServerLink({ server, toolset, key }: ServerLinkOptions): ServerLink {
  return {
    server,
    async request(method, params, signal) {
      const secret = key();
      if (secret === undefined) throw new NotSignedIn('There is no key for this server. Call login.');
      const sent = { jsonrpc: '2.0', id: 1, method, params };
      const limit = AbortSignal.timeout(TIMEOUT_MS);
      let answer: Response | undefined;
      let body: string;
      try {
        answer = await fetch(`${server}/mcp/flows?toolset=${toolset}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${secret}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': PROTOCOL,
          },
          body: JSON.stringify(sent),
          // With 'error', Undici no longer aborts the stream of a response after a garbage collection.
          redirect: 'manual',
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        body = await answer.text();
      } catch (error) {
        signal?.throwIfAborted();
        const isSent = answer !== undefined || limit.aborted || isLost(error);
        throw new ServerFailed(isSent ? withoutAnswer(server, limit.aborted) : unreachable(server), { cause: error });
      }
      if (answer.status === 401) throw new NotSignedIn('The server does not accept the key. Call login.');
      const read = response.safeParse(messageIn(body));
      if (answer.ok && read.data?.result !== undefined) return read.data.result;
      throw new ServerFailed(read.data?.error?.message ?? `The server answered with status ${answer.status}.`);
    },
  };
}

const unreachable = (server: string): string => `No server answers at ${server}. Start it with croft serve.`;

/** The server may have acted on the request: a model that repeats it has its effects twice. */
function withoutAnswer(server: string, isLate: boolean): string {
  const reason = isLate
    ? `The server at ${server} did not answer within ${TIMEOUT_MS / 1_000} s.`
    : `The connection to ${server} ended before the answer was complete.`;
  return `${reason} The call may have taken effect, and a run that it started may continue: look before you repeat it.`;
}

/** The codes of a connection that ends after it was made. Sources: undici, connect(2). */
const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isLost(error: unknown): boolean {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause;
  return LOST.has(String(cause?.code));
}

/** The response in a body: JSON, or the last data of an event stream. */
function messageIn(body: string): unknown {
  const data = body.trimStart().startsWith('{')
    ? body
    : body
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .at(-1)
        ?.slice('data:'.length);
  try {
    return JSON.parse(data ?? '') as unknown;
  } catch {
    return undefined;
  }
}
