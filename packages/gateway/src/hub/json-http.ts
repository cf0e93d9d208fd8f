import { isTooLarge, type JsonSize, MAX_JSON, measureJson } from '@croft/tools';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { FRAME_LIMITS } from '../frames.ts';
import { afterBody } from './after-body.ts';
import { GatewayError, HostRefusal } from './gateway-error.ts';
import type { UploadMeter } from './upload-budget.ts';

/** Bytes of bodies in memory at once, over all requests of a hub. */
const MAX_BODIES_BYTES = 256 * 1024 * 1024;

/**
 * How much of a body that is too large is read and discarded before the connection is cut, so that the client receives
 * the reason.
 */
const MAX_DISCARDED_BYTES = 4 * FRAME_LIMITS.maxBodyBytes;

/** Size limit of a body that is empty or a small option. */
const MAX_WORD_BYTES = 4 * 1024;

/** Values in one body, including lists and objects. A tree of 100,000 entries has 400,000. */
const MAX_VALUES = 500_000;
const MOST: JsonSize = { ...MAX_JSON, values: MAX_VALUES };

/** Counts the bytes of bodies being read, so that many large ones at once cannot fill the memory. */
export interface BodyRoom {
  usedBytes: number;
}

/** Responds to both dialects: one reads the fields at the top, the other below `data`. */
export function sendOk(res: ServerResponse, flat: Readonly<Record<string, unknown>>): void {
  send(res, 200, { ...flat, data: flat });
}

/** Responds with a refusal, after the request's body; any other error becomes a sentence without details. */
export function sendError(res: ServerResponse, error: unknown): void {
  const isRefusal = error instanceof GatewayError || error instanceof HostRefusal;
  const refusal = isRefusal
    ? error
    : new GatewayError('internal', 'The server failed unexpectedly. Try again in a moment');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (refusal instanceof HostRefusal && refusal.retryAfter !== undefined)
    res.setHeader('Retry-After', refusal.retryAfter);
  else if (refusal.status === 429) res.setHeader('Retry-After', String((refusal as GatewayError).retryAfterS ?? 1));
  afterBody(res.req, MAX_DISCARDED_BYTES, () =>
    send(res, refusal.status, { code: refusal.code, message: refusal.message }),
  );
}

function send(res: ServerResponse, status: number, body: object): void {
  // The client may be gone by now.
  if (res.destroyed) return;
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(text);
}

/**
 * Reads and parses the request's body. An empty body counts as `{}`. Checks size and number of values while it arrives,
 * so that parsing an accepted body is quick.
 *
 * @param meter counts the body for its sender, and may refuse it
 * @throws GatewayError `bad_content_type`, `too_large`, `too_many`, `too_often`, `bad_request`
 */
export async function readJson<S extends z.ZodType>(
  req: IncomingMessage,
  schema: S,
  room: BodyRoom,
  meter?: UploadMeter,
): Promise<z.output<S>> {
  const text = await readBody(req, room, meter);
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new GatewayError('bad_request', 'The body is not valid JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new GatewayError('bad_request', `The body does not fit: ${issues.join('; ')}`);
}

/** Reads the body of a request with little content: refuses more than 4 KiB without parsing it. */
export function readWord<S extends z.ZodType>(req: IncomingMessage, schema: S, room: BodyRoom): Promise<z.output<S>> {
  let leftBytes = MAX_WORD_BYTES;
  const take = (bytes: number): GatewayError | undefined => {
    leftBytes -= bytes;
    return leftBytes < 0 ? new GatewayError('too_large', 'Send no body larger than 4 KiB here') : undefined;
  };
  return readJson(req, schema, room, { take });
}

async function readBody(req: IncomingMessage, room: BodyRoom, meter: UploadMeter | undefined): Promise<string> {
  const announced = Number(req.headers['content-length'] ?? 0);
  const hasBody = announced > 0 || req.headers['transfer-encoding'] !== undefined;
  if (!hasBody) return '';
  // A form of another site cannot send this type, so it cannot act for a signed-in user.
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new GatewayError('bad_content_type', 'Send the body as application/json');
  if (announced > MAX_DISCARDED_BYTES) throw tooLarge();
  return collect(req, room, meter);
}

/**
 * Reads to the end, or refuses early; the rest after a refusal is read and discarded, so that the client receives it.
 */
function collect(req: IncomingMessage, room: BodyRoom, meter: UploadMeter | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let held = 0;
    const measure = measureJson();
    let isRefused = false;
    const tooMuchOf = (chunk: Buffer): GatewayError | undefined => {
      if (bytes > FRAME_LIMITS.maxBodyBytes) return tooLarge();
      if (room.usedBytes > MAX_BODIES_BYTES) return tooMany();
      if (isTooLarge(measure(chunk), MOST)) return tooManyValues();
      return meter?.take(chunk.length);
    };
    const letGo = (): void => {
      room.usedBytes -= held;
      held = 0;
      chunks = [];
    };
    const refuse = (why: GatewayError): void => {
      isRefused = true;
      letGo();
      reject(why);
    };
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (isRefused) {
        if (bytes > MAX_DISCARDED_BYTES) req.destroy();
        return;
      }
      held += chunk.length;
      room.usedBytes += chunk.length;
      chunks.push(chunk);
      const why = tooMuchOf(chunk);
      if (why) refuse(why);
    });
    req.on('end', () => {
      const text = isRefused ? '' : Buffer.concat(chunks, bytes).toString('utf8');
      letGo();
      resolve(text);
    });
    const onEarlyEnd = (): void => {
      if (!isRefused) refuse(new GatewayError('bad_request', 'The body ended early'));
    };
    req.on('error', onEarlyEnd);
    req.on('close', onEarlyEnd);
  });
}

function tooLarge(): GatewayError {
  const megabytes = FRAME_LIMITS.maxBodyBytes / 1024 / 1024;
  return new GatewayError('too_large', `The body is larger than ${megabytes} MiB. Send less at once`);
}

function tooManyValues(): GatewayError {
  return new GatewayError(
    'too_large',
    `The body has more than ${MOST.values} values, or more than ${MOST.depth} levels. Send less at once`,
  );
}

function tooMany(): GatewayError {
  return new GatewayError('too_many', 'Too many large bodies at once. Send it again in a moment');
}
