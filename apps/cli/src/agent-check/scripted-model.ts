import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALL_ID, type ScriptedCall, type WireReply, wireOf } from './model-wires.ts';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A local server that replaces a model provider. */
export interface ScriptedModel {
  /** Origin, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The progress of the agent: no request, a request without the tool, the call sent, the call's result received. */
  progress(): 'silent' | 'asked' | 'called' | 'answered';
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that implements the protocols of four providers. It answers requests that offer the tool of one
 * of `calls` with that call until it got a result, and all other requests with text. It checks no key and forwards nothing.
 */
export async function startScriptedModel(calls: readonly ScriptedCall[]): Promise<ScriptedModel> {
  const seen = { asked: false, called: false, answered: false };
  const server = createServer((request, response) => {
    answer(request, response, calls, seen).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    progress: () => (seen.answered ? 'answered' : seen.called ? 'called' : seen.asked ? 'asked' : 'silent'),
    close: () => closeNow(server),
  };
}

interface Seen {
  asked: boolean;
  called: boolean;
  answered: boolean;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  calls: readonly ScriptedCall[],
  seen: Seen,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const wire = request.method === 'POST' ? wireOf(pathname) : undefined;
  const body = await readBody(request);
  const asked = wire && parse(body);
  if (wire === undefined || asked === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"type":"not_found","message":"This is the check of croft setup guard"}}');
    return;
  }
  const text = JSON.stringify(asked);
  seen.asked = true;
  // Gemini CLI may omit the id; its part for a result has this name.
  if (text.includes(CALL_ID) || text.includes('"functionResponse"')) seen.answered = true;
  const call = seen.answered ? undefined : calls.find(({ name }) => text.includes(`"name":"${name}"`));
  if (call) seen.called = true;
  const isStream = asked.stream === true || searchParams.get('alt') === 'sse';
  send(response, wire(typeof asked.model === 'string' ? asked.model : 'croft-check', call), isStream);
}

function send(response: ServerResponse, { events, whole, endsWithDone }: WireReply, isStream: boolean): void {
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frames = events.map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
  response.end(frames.join('') + (endsWithDone ? 'data: [DONE]\n\n' : ''));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
