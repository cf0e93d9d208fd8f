import type { ServerResponse } from 'node:http';
import { createEventLog, encodeFrame, type EventLog, type LoggedEvent } from '@croft/event-log';
import type { ServerEvent } from './contract/server-events.ts';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS, MAX_WAITING_BYTES } from './event-stream.ts';
import { onClosed } from './on-closed.ts';
import { Problem } from './problem.ts';

/** Streams of events to open pages. A page that reconnects with its last event id gets the events it missed. */
export interface EventStreams {
  /** Keeps a response open and writes events of this user to it. @throws Problem `too_many_streams` */
  open(userId: string, response: ServerResponse, stream: NewStream): void;
  send(userId: string, event: ServerEvent): void;
  /** Sends to every user with an open page. */
  sendAll(event: ServerEvent): void;
  /** Sends that files of a user changed; of all users if it is undefined. */
  readonly sendFilesChanged: (userId: string | undefined) => void;
  /** Ends all streams of a user, whose sessions have ended. */
  endFor(userId: string): void;
  /** Ends the streams whose session has ended. @throws what `isValid` throws */
  endInvalid(): Promise<void>;
  close(): void;
}

export interface NewStream {
  /** The id of the last event the page got; absent for a page that was just loaded. */
  readonly lastEventId: string | undefined;
  /** The state to begin with, where nothing can be resumed. */
  readonly first: readonly ServerEvent[];
  /** Whether the session that opened the stream is still valid. */
  readonly isValid: () => Promise<boolean>;
}

/** A browser allows six connections to a server; this allows several windows and some margin. */
const MAX_STREAMS_OF_ONE = 20;
/** Kept for pages that reconnect. */
const KEPT = { maxEvents: 256, maxBytes: 256 * 1024 };
/** How long events are kept for a user without an open page: a hidden page holds no connection. */
const KEPT_MS = 5 * 60_000;

interface UserStreams {
  readonly log: EventLog;
  readonly open: Map<ServerResponse, NewStream>;
  /** When the last page was closed. */
  leftAt: number;
}

/** Server-sent events, with one timer for all streams. Events are in memory only. */
export function createEventStreams(now: () => number = Date.now): EventStreams {
  const users = new Map<string, UserStreams>();
  const timer = setInterval(() => {
    for (const [userId, { open, log, leftAt }] of users) {
      for (const response of open.keys()) write(response, encodeFrame({ comment: '' }));
      if (open.size > 0 || now() - leftAt < KEPT_MS) continue;
      log.close('closed');
      users.delete(userId);
    }
  }, KEEP_ALIVE_MS).unref();
  const append = ({ log }: UserStreams, { event, data }: ServerEvent) =>
    log.append({ event, data: JSON.stringify(data) });
  return {
    open(userId, response, stream) {
      const user = users.get(userId) ?? { log: createEventLog(KEPT), open: new Map(), leftAt: now() };
      if (user.open.size >= MAX_STREAMS_OF_ONE)
        throw new Problem(429, 'too_many_streams', 'Too many pages are open. Close some and load this one again.');
      users.set(userId, user);
      user.open.set(response, stream);
      const leave = user.log.follow({
        take: (event) => write(response, encodeFrame(event)),
        end: (reason) => (reason === 'slow' ? response.destroy() : response.end()),
      });
      onClosed(response, () => {
        leave();
        user.open.delete(response);
        user.leftAt = now();
      });
      response.writeHead(200, EVENT_STREAM_HEADERS);
      response.write(encodeFrame({ retry: 2_000 }) + begin(user.log, stream));
    },
    send(userId, event) {
      const user = users.get(userId);
      if (user !== undefined) append(user, event);
    },
    sendAll(event) {
      for (const user of users.values()) append(user, event);
    },
    sendFilesChanged(userId) {
      const changed = userId === undefined ? [...users.values()] : [users.get(userId)];
      for (const user of changed) if (user !== undefined) append(user, { event: 'files', data: {} });
    },
    endFor(userId) {
      for (const response of users.get(userId)?.open.keys() ?? []) response.end();
    },
    async endInvalid() {
      for (const { open } of users.values())
        for (const [response, { isValid }] of open) if (!(await isValid())) response.end();
    },
    close() {
      clearInterval(timer);
      for (const { log } of users.values()) log.close('closed');
    },
  };
}

/** The events a page missed; where they are gone, the word to load everything again and the state to begin with. */
function begin(log: EventLog, { lastEventId, first }: NewStream): string {
  const missed = lastEventId === undefined ? [] : log.after(lastEventId);
  if (lastEventId !== undefined && missed !== 'gone') return frames(missed);
  const reset: ServerEvent[] = missed === 'gone' ? [{ event: 'reset', data: {} }] : [];
  // With the id of the newest event, so that the page can resume after it.
  const state = [...reset, ...first].map(({ event, data }) => ({ event, data: JSON.stringify(data), id: log.lastId }));
  return frames(state);
}

const frames = (events: readonly LoggedEvent[]): string => events.map(encodeFrame).join('');

/** Whether the page can take more. Writing to an ended response would end the process. */
function write(response: ServerResponse, text: string): boolean {
  if (response.writableEnded) return true;
  if (response.writableLength > MAX_WAITING_BYTES) return false;
  response.write(text);
  return true;
}
