import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@croft/event-log';
import { TIMES } from '../frames.ts';

/** What may wait in this process for one slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024;
const TCP_KEEP_ALIVE_MS = 30_000;

/**
 * One open `events` response. Written to as raw HTTP: an idle one holds nothing but its socket, and has no timer of
 * its own.
 */
export class EventStream {
  readonly #res: ServerResponse;
  #isOpen = true;
  #stalledPings = 0;
  /** Told once that it is over, whoever ended it. Whoever takes the stream over sets it. */
  onClose: (() => void) | undefined;

  constructor(res: ServerResponse) {
    this.#res = res;
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=UTF-8',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
      // nginx would otherwise hold events back until its buffer is full.
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    });
    res.socket?.setNoDelay(true);
    res.socket?.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    res.socket?.setTimeout(0);
    // The response outlives its request by weeks; what a client did wrong on it is not this stream's business.
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

  /** `false` when the reader is too slow or gone; the text may then never arrive. */
  write(text: string): boolean {
    if (!this.#isOpen || this.#res.writableLength > MAX_WAITING_BYTES) return false;
    this.#res.write(text);
    return true;
  }

  /**
   * Writes a ping, and ends a stream to which nothing could be written between two of them: nobody reads it.
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

  /** Cuts it off: nobody is there to read an end. */
  cut(): void {
    this.#res.destroy();
  }

  /** Ends the stream; what was written before is still sent, unless the reader does not read. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#res.writableLength > MAX_WAITING_BYTES) this.#res.destroy();
    else this.#res.end();
  }
}

const PING = encodeFrame({ comment: 'ping' });
const VISIBLE_PING = encodeFrame({ comment: 'ping', data: JSON.stringify({ type: 'ping' }) });
