import type { ServerResponse } from 'node:http';
import { Problem } from './problem.ts';

/** Streams of events to open pages. */
export interface EventStreams {
  /** Keeps a response open and writes events of this user to it. @throws Problem when too many are open */
  open(userId: string, response: ServerResponse, stream: NewStream): void;
  send(userId: string, event: StreamEvent): void;
  /** To everybody. */
  sendAll(event: StreamEvent): void;
  /** Ends all streams of a user: the sessions they were opened with are gone. */
  endFor(userId: string): void;
  /** Ends the streams whose session is gone. @throws what asking for a session throws */
  endInvalid(): Promise<void>;
  close(): void;
}

export interface NewStream {
  /** Events to begin with. */
  readonly first: readonly StreamEvent[];
  /** Whether the session that the stream was opened with is still good. */
  readonly isValid: () => Promise<boolean>;
}

export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A browser allows six connections to a server; several windows and some margin. */
const MAX_STREAMS_OF_ONE = 20;
const KEEP_ALIVE_MS = 20_000;
/** A page that reads nothing any more is let go. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Server-sent events, with one timer that keeps all of them alive. */
export function createEventStreams(): EventStreams {
  const streams = new Map<string, Map<ServerResponse, NewStream>>();
  const write = (response: ServerResponse, text: string) => {
    // Ended, and not closed yet: writing to it would end the process.
    if (response.writableEnded) return;
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    else response.write(text);
  };
  const everybody = () => [...streams.values()].flatMap((all) => [...all.keys()]);
  const timer = setInterval(() => {
    for (const response of everybody()) write(response, ':\n\n');
  }, KEEP_ALIVE_MS).unref();
  return {
    open(userId, response, stream) {
      const own = streams.get(userId) ?? new Map<ServerResponse, NewStream>();
      if (own.size >= MAX_STREAMS_OF_ONE)
        throw new Problem(429, 'too_many_streams', 'Too many pages are open. Close some and load this one again.');
      streams.set(userId, own);
      own.set(response, stream);
      response.once('close', () => {
        own.delete(response);
        if (own.size === 0 && streams.get(userId) === own) streams.delete(userId);
      });
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        // nginx gathers answers otherwise.
        'X-Accel-Buffering': 'no',
      });
      response.write(`retry: 2000\n\n${stream.first.map(toFrame).join('')}`);
    },
    send(userId, event) {
      for (const response of streams.get(userId)?.keys() ?? []) write(response, toFrame(event));
    },
    sendAll(event) {
      for (const response of everybody()) write(response, toFrame(event));
    },
    endFor(userId) {
      for (const response of streams.get(userId)?.keys() ?? []) response.end();
    },
    async endInvalid() {
      for (const own of streams.values())
        for (const [response, { isValid }] of own) if (!(await isValid())) response.end();
    },
    close() {
      clearInterval(timer);
      for (const response of everybody()) response.end();
    },
  };
}

function toFrame({ event, data }: StreamEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
