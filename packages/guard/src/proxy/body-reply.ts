import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { atEndOfTurn } from './end-of-turn.ts';
import { guardBody } from './guard-body.ts';
import type { HeldBudget } from './held-budget.ts';
import { isSuccess, type JudgedRequest, readableType } from './judged-request.ts';
import { decodedReply, passedHeaders } from './upstream.ts';

const CHANGED: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'content-md5', 'digest', 'etag']);
const SAME: ReadonlySet<string> = new Set(['content-length']);

/** Judges a reply that is not streamed and sends what remains of it. */
export async function bodyReply(request: JudgedRequest, reply: IncomingMessage, bytes: Readable): Promise<void> {
  const { wire, limits, budget, res, enforce } = request;
  const first = await readAll(bytes, limits.maxBody, budget);
  if (first === 'too-large') {
    request.tooLarge(0);
    return request.refuse(502, 'The reply is too large for the guard to check.');
  }
  if (first === 'cut') return request.refuse(502, 'The upstream reply broke off.');
  await new Promise<void>(atEndOfTurn);
  try {
    const guarded = await guardBody(first, {
      wire,
      enforce,
      judge: (calls, attempt) => request.judge(calls, attempt),
      request: request.kept(),
      ask: (body) => askForBody(request, body),
      maxRetries: limits.maxRetries,
    });
    if (guarded === 'broken')
      return request.refuse(502, 'The reply holds a tool call that cannot be read for certain; it was stopped.');
    if (res.destroyed) return;
    const same = guarded.body === first && bytes === reply;
    const headers = passedHeaders(reply.rawHeaders, same ? SAME : CHANGED);
    headers.push('Content-Length', String(guarded.body.length));
    res.writeHead(reply.statusCode ?? 200, reply.statusMessage, headers);
    res.end(guarded.body);
  } finally {
    budget.give(first.length);
  }
}

async function askForBody(request: JudgedRequest, body: Buffer): Promise<Buffer | undefined> {
  try {
    const reply = await request.ask(body);
    const type = readableType(reply);
    const source =
      isSuccess(reply) && type !== undefined && request.wire.open(type, request.url) === 'body'
        ? decodedReply(reply)
        : undefined;
    if (!source) {
      reply.destroy();
      return undefined;
    }
    const answer = await readAll(source, request.limits.maxBody, request.budget);
    if (!Buffer.isBuffer(answer)) return undefined;
    request.budget.give(answer.length);
    return answer;
  } catch {
    return undefined;
  }
}

/** Reads a body. Its bytes are taken from the budget; if reading fails, all are given back. */
function readAll(source: Readable, max: number, budget: HeldBudget): Promise<Buffer | 'too-large' | 'cut'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let done = false;
    const settle = (result: Buffer | 'too-large' | 'cut') => {
      if (done) return;
      done = true;
      if (!Buffer.isBuffer(result)) {
        budget.give(size);
        source.destroy();
      }
      resolve(result);
    };
    source.on('data', (chunk: Buffer) => {
      if (done) return;
      if (size + chunk.length > max || !budget.take(chunk.length)) return settle('too-large');
      size += chunk.length;
      chunks.push(chunk);
    });
    source.on('end', () => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    source.on('error', () => settle('cut'));
    source.on('close', () => settle('cut'));
  });
}
