/** Bytes that a provider may send, counted after decompression. */
export interface ReplyLimits {
  readonly reply: number;
  /** Of a response with an error. */
  readonly failure: number;
  /** Of one line of an event stream. */
  readonly line: number;
}

/** The body of a response has more bytes than a provider sends. */
export class ReplyTooLargeError extends Error {
  constructor(most: number) {
    super(`It has more than ${most} bytes.`);
    this.name = 'ReplyTooLargeError';
  }
}

const MIB = 1024 * 1024;
const LIMITS: ReplyLimits = { reply: 64 * MIB, failure: MIB, line: 4 * MIB };
const NEWLINE = 10;

/**
 * The given fetch. Its responses end with ReplyTooLargeError where they have more bytes than a provider sends. The SDKs hold a
 * whole response, and a whole line of a stream, in memory, and a compressed response of one megabyte can expand to a gigabyte.
 */
export const withBoundedReplies =
  (fetch: typeof globalThis.fetch, limits: ReplyLimits = LIMITS): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const signal = init?.signal;
    const most = response.ok ? limits.reply : limits.failure;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    const bounds = boundedBytes(most, isStream ? limits.line : Number.POSITIVE_INFINITY);
    const bounded = response.body.pipeThrough(bounds, signal ? { signal } : {});
    return new Response(bounded, { status, statusText, headers });
  };

function boundedBytes(most: number, mostOfLine: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let line = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(NEWLINE);
      line = end < 0 ? line + chunk.byteLength : chunk.byteLength - end - 1;
      bytes += chunk.byteLength;
      if (bytes > most || line > mostOfLine) throw new ReplyTooLargeError(bytes > most ? most : mostOfLine);
      controller.enqueue(chunk);
    },
  });
}
