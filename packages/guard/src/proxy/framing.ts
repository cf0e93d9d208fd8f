/**
 * One event of a streamed reply, with the bytes it came in. What a wire reads is `data`; what goes to the client, when
 * nothing has to be changed, is `raw`.
 */
export interface Frame {
  /** Every byte of the frame, its end included. */
  readonly raw: Buffer;
  /** The event's text: for SSE the `data:` lines joined with LF, for a JSON array one element. `undefined`: it has none. */
  readonly data: string | undefined;
  /** The SSE event name, where one was given. */
  readonly event: string | undefined;
  /**
   * Two readers could see two different events in these bytes (bare CR inside, a line that is no field, several `data:`
   * lines each of which is a JSON object of its own). A wire that finds a trace of a call in such a frame says `broken`.
   */
  readonly unclear: boolean;
}

/** A frame the guard makes itself. `data` must hold no line break for SSE (JSON.stringify makes none). */
export interface MadeFrame {
  readonly event?: string;
  readonly data: string;
}

/** What may go to the client: a frame as it came, or one the guard made. */
export type Piece = Frame | MadeFrame;

/** Whether a piece still has the bytes it came in. */
export function isFrame(piece: Piece): piece is Frame {
  return 'raw' in piece;
}

/**
 * Cuts a byte stream into frames and writes frames back. One object a reply; it keeps what is incomplete. Frames come out
 * with exactly the bytes that went in: the concatenation of everything `next` returned, and of what is still pending, is
 * the input.
 *
 * Pull-based, because what is interesting changes with every frame that was read: call `push`, then `next` until it
 * returns `undefined`.
 */
export interface Framing {
  /** Bytes that were pushed and have not come out of `next` yet. */
  readonly pending: number;
  push(chunk: Buffer): void;
  /** No more bytes will come: what is left unterminated is one last frame. */
  finish(): void;
  /**
   * The next frame that has to be read, or (a Buffer) the longest run of complete frames before it that match nothing of
   * `interesting` and may pass unread. `interesting` is tested on the bytes as Latin-1; `undefined`: every frame is read.
   */
  next(interesting: RegExp | undefined): Frame | Buffer | undefined;
  /** The frames of bytes that hold only complete ones: a run that `next` returned, or a whole recorded reply. */
  split(bytes: Buffer): Frame[];
  /** The bytes of one piece. A frame keeps its own, except where the format needs a separator changed (JSON array). */
  write(piece: Piece): Buffer;
  /** The client's reply was begun by `before`; separators go on from there. Only where the format has any. */
  follow?(before: Framing): void;
  /** What closes the reply after the guard ended it early (`]` of a JSON array); nothing for SSE. */
  close(): Buffer | undefined;
}
