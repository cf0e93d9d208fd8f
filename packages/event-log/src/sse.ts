/** The fields of one frame of a `text/event-stream`. */
export interface SseFrame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Time after which a client reconnects, in milliseconds. */
  readonly retry?: number;
  /** A comment, which clients ignore; keeps a connection alive. */
  readonly comment?: string;
}

const MAX_ID_CHARS = 256;
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Encodes one frame, with its blank line. Line breaks in `data` and `comment` start a new field line, so no text can start a new
 * frame. `id` and `event` must have one line.
 *
 * A client dispatches no event for a frame with an id and no data, but uses the id as `Last-Event-ID`.
 *
 * @throws RangeError for a line break or NUL in `id` or `event`
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

/** Parses the request header `Last-Event-ID`; `undefined` if it is missing or malformed. */
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
