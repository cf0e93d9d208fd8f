/** What one frame of a `text/event-stream` may carry. */
export interface SseFrame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** How long a client waits before it connects again, in milliseconds. */
  readonly retry?: number;
  /** Text that no program sees; keeps a connection alive. */
  readonly comment?: string;
}

const MAX_ID_CHARS = 256;
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Writes one frame, blank line included. Line breaks in `data` and `comment` become lines of their own, so no text can
 * begin a frame; in `id` and `event`, which have one line, they are an error.
 *
 * A frame with an id and no data is heard of by no program, but sets what the client sends as `Last-Event-ID`.
 *
 * @throws RangeError for a line break in `id` or `event`, or a NUL in `id` (a client would ignore it)
 */
export function encodeFrame(frame: SseFrame): string {
  let text = '';
  if (frame.comment !== undefined) text += lines('', frame.comment);
  if (frame.retry !== undefined) text += `retry: ${Math.max(0, Math.round(frame.retry))}\n`;
  if (frame.id !== undefined) text += `id: ${oneLine(frame.id)}\n`;
  if (frame.event !== undefined) text += `event: ${oneLine(frame.event)}\n`;
  if (frame.data !== undefined) text += lines('data', frame.data);
  return `${text}\n`;
}

/** The id a client last saw, from its request header; `undefined` for none and for what no server gave out. */
export function parseLastEventId(header: string | readonly string[] | undefined): string | undefined {
  const id = typeof header === 'string' ? header : header?.[0];
  return id !== undefined && id.length <= MAX_ID_CHARS && /^[\x21-\x7e]+$/.test(id) ? id : undefined;
}

function lines(field: string, text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `${field}: ${line}\n`)
    .join('');
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is refused
  if (/[\r\n\u0000]/.test(text)) throw new RangeError('an id or name of an event is one line without NUL');
  return text;
}
