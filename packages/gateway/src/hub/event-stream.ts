import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@croft/event-log';
import { TIMES } from '../frames.ts';

/** Limit of bytes buffered in this process for one slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024;
const TCP_KEEP_ALIVE_MS = 30_000;

/** One open `events` response. Written as raw HTTP: an idle one holds only its socket, and has no timer of its own. */
export class EventStream {
  readonly #res: ServerResponse;
  #isOpen = true;
  #stalledPings = 0;
  /** Called once when the stream is over, whichever side ended it. The owner of the stream sets it. */
  onClose: (() => void) | undefined;

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
      this.onClose?.();
    });
    this.write(encodeFrame({ comment: 'connected', retry: TIMES.retryMs }));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns `false` if the reader is too slow or gone; the text may then never arrive. */
  write(text: string): boolean {
    if (!this.#isOpen || this.#res.writableLength > MAX_WAITING_BYTES) return false;
    this.#res.write(text);
    return true;
  }

  /**
   * Writes a ping. Cuts a stream to which nothing could be written between two pings, because its reader has stopped
   * reading.
   *
   * @param visible also as an event, for a client whose parser does not show comments
   */
  ping(visible: boolean): void {
    this.#stalledPings = this.#res.writableLength > 0 ? this.#stalledPings + 1 : 0;
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
    if (this.#res.writableLength > MAX_WAITING_BYTES) this.#res.destroy();
    else this.#res.end();
  }
}

const PING = encodeFrame({ comment: 'ping' });
const VISIBLE_PING = encodeFrame({ comment: 'ping', data: JSON.stringify({ type: 'ping' }) });
