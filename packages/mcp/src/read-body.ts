import { isTooLarge, MAX_JSON, measureJson } from '@croft/tools';
import { MAX_MESSAGE_BYTES, OversizedReader } from './oversized-message.ts';

/** Larger bodies, and those without a length, are read here. The SDK reads smaller ones. */
const SMALL_BYTES = 64 * 1024;
/** Reading stops at this size. */
const MAX_READ_BYTES = 4 * MAX_MESSAGE_BYTES;
const MAX_HELD_BYTES = 4 * MAX_MESSAGE_BYTES;
/** The share of one caller, so that slow bodies of one keep the others' out no longer than their own. */
const SHARE = 1 / 2;
const RETRY_AFTER_SECONDS = 5;

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** A parsed body for the SDK, or the response if it is refused. */
export type ReadBody = { readonly parsed: unknown } | { readonly refused: Response };

/**
 * Reads the larger bodies of one endpoint. Omits the long arguments of a tool call above `MAX_MESSAGE_BYTES`, so that the tool
 * refuses it. Bounds the memory of all bodies together, and of those of one caller; beyond a bound a request gets 503.
 */
export class BodyReader {
  private readonly maxHeldBytes: number;
  private heldBytes = 0;
  private readonly heldOf = new Map<string, number>();

  /** @param maxHeldBytes bound for the larger bodies of all callers together, while they are read and served */
  constructor(maxHeldBytes = MAX_HELD_BYTES) {
    this.maxHeldBytes = maxHeldBytes;
  }

  /** Whether this reader must read the body of a request. */
  takes(request: Request): boolean {
    if (request.method !== 'POST' || request.body === null) return false;
    const declared = request.headers.get('content-length');
    return declared === null || Number(declared) > SMALL_BYTES;
  }

  /** Reads one body and calls `serve`. Rejects only if `serve` rejects. */
  async read(request: Request, caller: string, serve: (body: ReadBody) => Promise<Response>): Promise<Response> {
    const parts: Buffer[] = [];
    let bytes = 0;
    let oversized: OversizedReader | undefined;
    const measure = measureJson();
    const release = (): void => {
      if (!oversized) this.hold(caller, -bytes);
    };
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    const refuse = (status: number, message: string, headers?: Record<string, string>): Promise<Response> => {
      release();
      reader.cancel().catch(() => {});
      return serve({ refused: errorResponse(status, SERVER_ERROR, message, null, headers) });
    };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const part = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        if (oversized) oversized.read(part);
        else {
          parts.push(part);
          this.hold(caller, part.length);
        }
        bytes += part.length;
        if (bytes > MAX_READ_BYTES) return await refuse(413, TOO_LARGE);
        if (oversized) continue;
        if (isTooLarge(measure(part))) return await refuse(413, TOO_MANY_VALUES);
        if (bytes > MAX_MESSAGE_BYTES) {
          release();
          oversized = new OversizedReader();
          for (const one of parts.splice(0)) oversized.read(one);
        } else if (this.isFullFor(caller))
          return await refuse(503, 'The server is reading too many large requests. Try again in a moment.', {
            'Retry-After': String(RETRY_AFTER_SECONDS),
          });
      }
    } catch {
      return refuse(400, 'The body could not be read');
    }
    if (oversized) return serve(oversizedBody(oversized));
    try {
      return await serve(parse(parts.splice(0)));
    } finally {
      release();
    }
  }

  private hold(caller: string, bytes: number): void {
    this.heldBytes += bytes;
    const own = (this.heldOf.get(caller) ?? 0) + bytes;
    if (own === 0) this.heldOf.delete(caller);
    else this.heldOf.set(caller, own);
  }

  private isFullFor(caller: string): boolean {
    const own = this.heldOf.get(caller) ?? 0;
    return this.heldBytes > this.maxHeldBytes || own > this.maxHeldBytes * SHARE;
  }
}

const TOO_MANY_VALUES = `Request has more than ${MAX_JSON.values} values, or more than ${MAX_JSON.depth} levels. Send less at once.`;
const TOO_LARGE = `Request is larger than ${MAX_MESSAGE_BYTES} bytes. Send less at once.`;

function parse(parts: Buffer[]): ReadBody {
  try {
    return { parsed: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown };
  } catch {
    return { refused: errorResponse(400, PARSE_ERROR, 'The body is not JSON', null) };
  }
}

function oversizedBody(reader: OversizedReader): ReadBody {
  const { id, call } = reader.result();
  return call ? { parsed: call } : { refused: errorResponse(413, SERVER_ERROR, TOO_LARGE, id) };
}

function errorResponse(
  status: number,
  code: number,
  message: string,
  id: string | number | null,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
}
