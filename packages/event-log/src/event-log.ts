import { randomBytes } from 'node:crypto';

/** One event, as it was appended. */
export interface LoggedEvent {
  /** `<log>.<number>`: says which log it is of, so that an id of another log resumes nothing here. */
  readonly id: string;
  /** The event's name; absent for an unnamed one. */
  readonly event?: string;
  readonly data: string;
}

/** Why a follower hears no more: it was too slow, or the reason the log was closed with. */
export type EndReason = 'slow' | (string & {});

/** Somebody who gets events as they come. */
export interface Follower {
  /** Gives `false` when it can take no more; it is then dropped with `end('slow')`. */
  take(event: LoggedEvent): boolean;
  /** Called once, after the last event, unless the follower left by itself. */
  end(reason: EndReason): void;
}

/** Bounds of what is kept. */
export interface EventLogOptions {
  readonly maxEvents: number;
  /** Of all data kept, in UTF-8 bytes. One event larger than this is sent to followers and not kept. */
  readonly maxBytes: number;
}

/** A stream one can leave and come back to. In memory only: what was not read before the process ended is lost. */
export interface EventLog {
  /** The id of the newest event, or of the beginning where there is none. A follower may come back with it. */
  readonly lastId: string;
  /** How much is kept, for tests and metrics. */
  readonly kept: { readonly events: number; readonly bytes: number };
  /** Adds an event and hands it to every follower, in order. Does nothing but return the event once closed. */
  append(entry: { readonly event?: string; readonly data: string }): LoggedEvent;
  /**
   * What came after `id`, oldest first. `gone` when that cannot be told in full: the id is of another log, was never
   * given out, or is older than what is kept.
   */
  after(id: string): readonly LoggedEvent[] | 'gone';
  /**
   * Sends new events to `follower` until it leaves (the function returned), is too slow, or the log is closed.
   * Events before are not sent; read them with `after` in the same turn and nothing is missed or sent twice.
   */
  follow(follower: Follower): () => void;
  /** Ends every follower with `reason` and forgets what is kept. */
  close(reason: EndReason): void;
}

/** Makes an empty log. Costs a few hundred bytes until something is appended. */
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
  /** Events up to this number cannot be read any more. */
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
    // The list is replaced, never changed: one may leave, or another one come, while they are told.
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
