import type { MessageEvent } from './event.ts';

/**
 * The only form in which the API writes a fragment, apart from padding. It requires each byte, so there is only one
 * reading.
 */
const HEAD =
  /^event: content_block_delta\r?\ndata: \{"type": ?"content_block_delta", ?"index": ?(0|[1-9]\d{0,8}), ?"delta": ?\{"type": ?"input_json_delta", ?"partial_json": ?"/;
const TAIL = /" *\} *\}\r?\n\r?\n$/;
/** Longer than any tail with the API's padding. */
const TAIL_SIZE = 64;

/**
 * Recognises a fragment of an input by its bytes. Most of a streamed call is fragments, and this is much faster than
 * parsing them. `undefined` if it is written in another way or is not a fragment; then it must be parsed like any
 * event.
 */
export function fragmentIn(raw: Buffer): Extract<MessageEvent, { kind: 'delta' }> | undefined {
  const text = raw.toString('latin1');
  const head = HEAD.exec(text);
  if (!head) return undefined;
  const from = Math.max(head[0].length - 1, text.length - TAIL_SIZE);
  const tail = TAIL.exec(text.slice(from));
  const start = head[0].length;
  const end = tail ? from + tail.index : -1;
  if (end < start) return undefined;
  const written = text.slice(start, end);
  try {
    // Only the text within one pair of quotes: an unescaped quote or a line break inside is not valid in a JSON string.
    const partial: unknown = JSON.parse(`"${isAscii(written) ? written : raw.toString('utf8', start, end)}"`);
    return typeof partial === 'string' ? { kind: 'delta', index: Number(head[1]), partial } : undefined;
  } catch {
    return undefined;
  }
}

function isAscii(text: string): boolean {
  return !/[\x80-\xff]/.test(text);
}
