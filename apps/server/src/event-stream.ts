/** Headers of responses with server-sent events. */
export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // nginx buffers responses otherwise.
  'X-Accel-Buffering': 'no',
};
/** A comment this often keeps a connection open. */
export const KEEP_ALIVE_MS = 15_000;
/** A reader that stops reading is disconnected at this many buffered bytes. */
export const MAX_WAITING_BYTES = 1024 * 1024;
