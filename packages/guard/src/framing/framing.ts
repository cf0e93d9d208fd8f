/**
 * One event of a streamed reply, with its bytes. A wire reads `data`; an unchanged frame goes to the client as `raw`.
 */
export interface Frame {
  /** Every byte of the frame, including its end. */
  readonly raw: Buffer;
  /**
   * The event's text: for SSE the `data:` lines joined with LF, for a JSON array one element. `undefined` if it has
   * none.
   */
  readonly data: string | undefined;
  /** The SSE event name, if given. */
  readonly event: string | undefined;
  /**
   * Two parsers could see different events in these bytes (a bare CR inside, a line that is not a field, a comment with
   * a quote, several `data:` lines each with a JSON object). A wire that finds a trace of a call in such a frame reports `broken`.
   */
  readonly unclear: boolean;
}

/** A frame that the guard creates. For SSE, `data` must not contain a line break (JSON.stringify creates none). */
export interface MadeFrame {
  readonly event?: string;
  readonly data: string;
}

/** A frame for the client: unchanged, or created by the guard. */
export type Piece = Frame | MadeFrame;

/** Whether a piece still has its original bytes. */
export function isFrame(piece: Piece): piece is Frame {
  return 'raw' in piece;
}

/**
 * Splits a byte stream into frames and serialises frames. One object per reply; it keeps incomplete data. Frames
 * contain exactly the input bytes: everything `next` returned, followed by everything pending, is the input.
 *
 * Pull-based, because the relevant pattern changes with every frame that was read: call `push`, then `next` until it
 * returns `undefined`.
 */
export interface Framing {
  /** Bytes that were pushed and that `next` has not returned yet. */
  readonly pending: number;
  push(chunk: Buffer): void;
  /** Marks the end of the input: unterminated data becomes the last frame. */
  finish(): void;
  /**
   * The next frame to read, or (a Buffer) the longest run of complete frames before it that do not match `interesting`
   * and may pass unread. `interesting` is tested on the bytes as Latin-1; if `undefined`, every frame is read.
   */
  next(interesting: RegExp | undefined): Frame | Buffer | undefined;
  /** Splits bytes of complete frames: a run that `next` returned, or a whole recorded reply. */
  split(bytes: Buffer): Frame[];
  /** The bytes of one piece. A frame keeps its own, except where the format needs another separator (JSON array). */
  write(piece: Piece): Buffer;
  /** Continues a reply to the client that `before` began, for formats with separators. */
  follow?(before: Framing): void;
  /** The bytes that close a reply which the guard ended early (`]` of a JSON array); none for SSE. */
  close(): Buffer | undefined;
}
