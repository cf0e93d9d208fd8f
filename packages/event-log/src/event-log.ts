import { randomBytes } from 'node:crypto';

/** One appended event. */
export interface LoggedEvent {
  /** `<log>.<number>`. Names its log, so that an id of another log cannot resume this one. */
  readonly id: string;
  /** The event's name; absent for an unnamed one. */
  readonly event?: string;
  readonly data: string;
}

/** Why a follower gets no more events: it was too slow, or the reason given to `close`. */
export type EndReason = 'slow' | (string & {});

/** A receiver of new events. */
export interface Follower {
  /** Returns `false` if it cannot accept more events; it is then dropped with `end('slow')`. */
  take(event: LoggedEvent): boolean;
  /** Called once, after the last event, unless the follower left before. */
  end(reason: EndReason): void;
}

/** Bounds for the kept events. */
export interface EventLogOptions {
  readonly maxEvents: number;
  /** Bound for all kept data, in UTF-8 bytes. A larger event is sent to followers and not kept. */
  readonly maxBytes: number;
}

/** A bounded log of events in memory. Readers can disconnect and resume. Events do not survive the process. */
export interface EventLog {
  /** The id of the newest event, or of the start of an empty log. A follower can resume after it. */
  readonly lastId: string;
  /** Number and size of the kept events, for tests and metrics. */
  readonly kept: { readonly events: number; readonly bytes: number };
  /** Adds an event and sends it to every follower, in order. After `close` it only returns the event. */
  append(entry: { readonly event?: string; readonly data: string }): LoggedEvent;
  /**
   * Returns the events after `id`, oldest first. Returns `gone` if some of them are not known: the id belongs to another log, was
   * never used, or is older than the kept events.
   */
  after(id: string): readonly LoggedEvent[] | 'gone';
  /**
   * Sends new events to `follower` until it calls the returned function, is too slow, or the log is closed. Does not send earlier
   * events: read them with `after` in the same turn, then no event is lost or repeated.
   */
  follow(follower: Follower): () => void;
  /** Ends every follower with `reason` and drops all events. */
  close(reason: EndReason): void;
}

/** Creates an empty log. It uses a few hundred bytes until an event is appended. */
export function createEventLog(options: EventLogOptions): EventLog {
  return new MemoryLog(options);
}

interface Kept {
  readonly entry: LoggedEvent;
  readonly bytes: number;
}

class MemoryLog implements EventLog {
  readonly #options: EventLogOptions;
  readonly #name = randomBytes(9).toString('base64url');
  #kept: Kept[] = [];
  #bytes = 0;
  /** Number of the newest event. */
  #newest = 0;
  /** Events up to this number were dropped. */
  #lost = 0;
  #followers: Follower[] = [];
  #closed = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  get lastId(): string {
    return `${this.#name}.${this.#newest}`;
  }

  get kept(): { events: number; bytes: number } {
    return { events: this.#kept.length, bytes: this.#bytes };
  }

  append(given: { readonly event?: string; readonly data: string }): LoggedEvent {
    const entry: LoggedEvent = { id: `${this.#name}.${++this.#newest}`, ...given };
    if (this.#closed) return entry;
    const bytes = Buffer.byteLength(entry.data);
    this.#kept.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.#options.maxEvents || this.#bytes > this.#options.maxBytes) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
      this.#lost = this.#newest - this.#kept.length;
    }
    // The list is replaced, never changed: followers may join or leave during this loop.
    for (const follower of this.#followers) {
      if (this.#followers.includes(follower) && !follower.take(entry)) this.#drop(follower);
    }
    return entry;
  }

  after(id: string): readonly LoggedEvent[] | 'gone' {
    const dot = id.lastIndexOf('.');
    const number = /^\d{1,15}$/.test(id.slice(dot + 1)) ? Number(id.slice(dot + 1)) : -1;
    if (this.#closed || id.slice(0, dot) !== this.#name || number < this.#lost || number > this.#newest) return 'gone';
    return this.#kept.slice(this.#kept.length - (this.#newest - number)).map(({ entry }) => entry);
  }

  follow(follower: Follower): () => void {
    if (this.#closed) {
      follower.end('closed');
      return () => undefined;
    }
    this.#followers = [...this.#followers, follower];
    return () => this.#leave(follower);
  }

  close(reason: EndReason): void {
    this.#closed = true;
    this.#kept = [];
    this.#bytes = 0;
    const followers = this.#followers;
    this.#followers = [];
    for (const follower of followers) follower.end(reason);
  }

  #drop(follower: Follower): void {
    this.#leave(follower);
    follower.end('slow');
  }

  #leave(follower: Follower): void {
    this.#followers = this.#followers.filter((one) => one !== follower);
  }
}
