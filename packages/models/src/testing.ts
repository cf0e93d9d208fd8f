import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelError } from './errors.ts';
import { embeddingsOf, isEmbedding } from './testing-embeddings.ts';
import { framesOf, type ScriptedReply, wireOf } from './testing-wires.ts';

export { callReply, type ScriptedReply, SCRIPTED_USAGE } from './testing-wires.ts';

/** A request as it arrived. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local server that speaks the protocols of all providers. For tests. */
export interface ScriptedProvider {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Variables that send every provider there. */
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when a client has closed a connection before its reply ended. */
  readonly clientLeft: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a provider on a free port of loopback. It gives the replies in order and repeats the last one. A function gets
 * the request, so that a test can answer by model. `GET /v1/models` and `/api/tags` list `models`.
 */
export async function startScriptedProvider(
  replies: readonly ScriptedReply[] | ((request: SeenRequest, count: number) => ScriptedReply),
  models: readonly string[] = ['local-model'],
): Promise<ScriptedProvider> {
  const requests: SeenRequest[] = [];
  let left: () => void = () => undefined;
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableEnded) left();
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (request.method === 'GET') {
        sendJson(
          response,
          path.endsWith('/models')
            ? { data: models.map((id) => ({ id })) }
            : { models: models.map((name) => ({ name })) },
        );
        return;
      }
      const seen = { path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(seen);
      const count = requests.length - 1;
      const reply = typeof replies === 'function' ? replies(seen, count) : (replies[count] ?? replies.at(-1));
      send(response, seen, reply ?? { status: 500 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, variables: variablesFor(url), clientLeft, close: () => closeNow(server) };
}

const variablesFor = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'sk-ant-canary-1111',
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: 'sk-canary-2222',
  OPENAI_BASE_URL: `${url}/v1`,
  GOOGLE_GENERATIVE_AI_API_KEY: 'AIza-canary-3333333',
  GOOGLE_GEMINI_BASE_URL: url,
  GROQ_API_KEY: 'gsk_canary_4444',
  GROQ_BASE_URL: url,
  OLLAMA_BASE_URL: url,
  OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  OPENAI_COMPATIBLE_API_KEY: 'canary-key-5555',
});

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function send(response: ServerResponse, { path, body }: SeenRequest, reply: ScriptedReply): void {
  if (reply.stall === 'before') return;
  if (reply.status !== undefined) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body ?? '{}');
    return;
  }
  if (isEmbedding(path) && reply.raw === undefined) {
    sendJson(response, embeddingsOf(path, body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (reply.raw !== undefined) {
    response.end(reply.raw);
    return;
  }
  const frames = framesOf(wireOf(path), reply);
  if (reply.stall === undefined) {
    for (const frame of frames) response.write(frame);
    response.end();
    return;
  }
  // The text is in the first half of the frames.
  for (const frame of frames.slice(0, Math.ceil(frames.length / 2))) response.write(frame);
  if (reply.stall === 'cut') setImmediate(() => response.destroy());
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The error with which work fails. Fails itself for another kind of error, and if the work succeeds. */
export async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error instanceof ModelError) return error;
  throw new Error(`expected a ModelError, got ${String(error)}`);
}
