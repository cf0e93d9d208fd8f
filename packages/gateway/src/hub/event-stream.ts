import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@croft/event-log';
import { type DisconnectFrame, type DisconnectReason, TIMES } from '../frames.ts';

/** Limit of bytes buffered in this process for one slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Node reports a write only when the kernel has taken all of it, so a large text is written piece by piece. */
const PIECE_BYTES = 16 * 1024;
const TCP_KEEP_ALIVE_MS = 30_000;

/** One open `events` response. Written as raw HTTP: an idle one holds only its socket, and has no timer of its own. */
export class EventStream {
  readonly #res: ServerResponse;
  #isOpen = true;
  /** Pieces behind the one that is being written. */
  #waiting: Buffer[] = [];
  /** Bytes that the kernel has not taken, the piece that is being written included. */
  #untakenBytes = 0;
  #tookSincePing = false;
  #stalledPings = 0;
  /** Called once when the stream is over, whichever side ended it. The owner of the stream sets it. */
  onClose: (() => void) | undefined;
  /** Called when the reader has taken everything. The owner of the stream sets it. */
  onRoom: (() => void) | undefined;

  constructor(res: ServerResponse) {
    this.#res = res;
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=UTF-8',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
      // Without this header nginx buffers events.
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    });
    res.socket?.setNoDelay(true);
    res.socket?.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    res.socket?.setTimeout(0);
    // The response outlives its request by weeks; the client's errors on the socket do not matter to this stream.
    res.on('error', () => undefined);
    res.on('close', () => {
      this.#isOpen = false;
      this.#waiting = [];
      this.onClose?.();
    });
    this.write(encodeFrame({ comment: 'connected', retry: TIMES.retryMs }));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the reader takes more; a text of any size may then be written. */
  get hasRoom(): boolean {
    return this.#isOpen && this.#untakenBytes <= MAX_WAITING_BYTES;
  }

  /** Returns `false` without room; the text is then not sent. */
  write(text: string): boolean {
    if (!this.hasRoom) return false;
    const bytes = Buffer.from(text);
    const isIdle = this.#untakenBytes === 0;
    this.#untakenBytes += bytes.length;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#waiting.push(bytes.subarray(at, at + PIECE_BYTES));
    if (isIdle) this.#writePiece();
    return true;
  }

  /**
   * Writes a ping. Cuts a stream with waiting text of which nothing could be written over three pings, because its reader
   * has stopped reading.
   *
   * @param visible also as an event, for a client whose parser does not show comments
   */
  ping(visible: boolean): void {
    this.#stalledPings = this.#untakenBytes > 0 && !this.#tookSincePing ? this.#stalledPings + 1 : 0;
    this.#tookSincePing = false;
    if (this.#stalledPings > 2) {
      this.#res.destroy();
      return;
    }
    this.write(visible ? VISIBLE_PING : PING);
  }

  /** Cuts the connection without an end, because no reader is left. */
  cut(): void {
    this.#res.destroy();
  }

  /** Ends the stream. Text written before is still sent if the reader reads. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#untakenBytes > MAX_WAITING_BYTES) {
      this.#res.destroy();
      return;
    }
    for (const piece of this.#waiting.splice(0)) this.#res.write(piece);
    this.#res.end();
  }

  #writePiece(): void {
    const piece = this.#waiting.shift();
    if (!piece) return;
    this.#res.write(piece, (error) => {
      if (error || !this.#isOpen) return;
      this.#tookSincePing = true;
      this.#untakenBytes -= piece.length;
      if (this.#untakenBytes === 0) this.onRoom?.();
      else this.#writePiece();
    });
  }
}

const PING = encodeFrame({ comment: 'ping' });
const VISIBLE_PING = encodeFrame({ comment: 'ping', data: JSON.stringify({ type: 'ping' }) });

/** Ends a stream with a frame that tells its client not to reconnect by itself. */
export function dismiss(stream: EventStream, reason: DisconnectReason): void {
  const frame: DisconnectFrame = { type: 'gateway-disconnect', payload: { reason } };
  stream.write(encodeFrame({ data: JSON.stringify(frame) }));
  stream.end();
}
