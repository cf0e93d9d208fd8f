import type { IncomingMessage } from 'node:http';
import { isTooLarge, MAX_JSON, measureJson } from '@croft/tools';
import { parseJson, turnAfter } from '../flows/long-json.ts';
import { Problem } from '../problem.ts';
import type { BodyMeter } from './body-budget.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MIN_BODY_MS = 60_000;
const SLOW_BYTES_PER_MS = 64;

/**
 * Reads a body as JSON; an empty body is `{}`. Destroys a request that arrives more slowly than a slow line would send
 * it, because sign-in accepts bodies from anyone.
 *
 * @throws Problem `invalid`, `too_large`, `broken_off`, and `busy` of the meter
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
  deadlineMs = MIN_BODY_MS + maxBytes / SLOW_BYTES_PER_MS,
  meter?: BodyMeter,
): Promise<unknown> {
  const bytes = await readBody(request, maxBytes, deadlineMs, { meter }).finally(() => meter?.close());
  if (isTooLarge(measureJson()(bytes)))
    throw new Problem(
      413,
      'too_large',
      `The body has more than ${MAX_JSON.values} values, or more than ${MAX_JSON.depth} levels.`,
    );
  await turnAfter(bytes.length);
  const text = bytes.toString('utf8');
  try {
    return text === '' ? {} : await parseJson(text);
  } catch {
    throw new Problem(400, 'invalid', 'The body is not JSON.');
  }
}

/**
 * Reads a body from anyone, as {@link readJson} does. Destroys the request when `cut` aborts.
 *
 * @throws Problem `too_large`, `broken_off`, and `busy` of the meter
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
  deadlineMs = MIN_BODY_MS + maxBytes / SLOW_BYTES_PER_MS,
  { cut, meter }: { readonly cut?: AbortSignal; readonly meter?: BodyMeter | undefined } = {},
): Promise<Buffer> {
  const end = () => void request.destroy();
  const late = setTimeout(end, deadlineMs);
  cut?.addEventListener('abort', end, { once: true });
  return readBytes(request, maxBytes, meter).finally(() => {
    clearTimeout(late);
    cut?.removeEventListener('abort', end);
  });
}

/**
 * The chunks of a body, for a reader that may stop early. Node destroys a request whose reader stops, and the connection
 * then takes no further request. This iterator leaves the rest of the body to be read and dropped after the response.
 */
export function keepConnection(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}

async function readBytes(request: IncomingMessage, maxBytes: number, meter: BodyMeter | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of keepConnection(request)) {
      size += chunk.length;
      if (size > maxBytes) throw new Problem(413, 'too_large', `The body is larger than ${maxBytes} bytes.`);
      meter?.take(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The client disconnected or was too slow. It does not read this response, and the server has not failed.
    throw new Problem(408, 'broken_off', 'The body did not arrive completely. Send it again.');
  }
  return Buffer.concat(chunks);
}
