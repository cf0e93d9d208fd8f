import type { LoggedEvent } from './event-log.ts';

/** An event before it has an id. */
export interface LogEntry {
  readonly event?: string;
  readonly data: string;
}

/** Where durable logs keep their events. The store passes its own failures on. */
export interface EventStore {
  /** Adds events with consecutive numbers, the first of which is `first`. Stores all of them or none. */
  append(log: string, first: number, entries: readonly LogEntry[]): Promise<void>;
  /**
   * Reads events with numbers above `after`, oldest first, with the number of the first one. May return more or fewer than
   * `limit`, and returns none only if there are none. `gone` if the log or some of these events were removed.
   */
  read(log: string, after: number, limit: number): Promise<StoredEvents | 'gone'>;
}

export interface StoredEvents {
  readonly first: number;
  readonly entries: readonly LogEntry[];
}

export interface DurableLogOptions {
  /** The name of the log: the part of its ids before the last dot. */
  readonly name: string;
  readonly store: EventStore;
  /** The number of the newest stored event; 0 for a new log. */
  readonly newest: number;
  /** How long an event may wait for others before it is stored. 100 ms unless given. */
  readonly delayMs?: number;
  /** Events that are stored at once, and the backlog from which `append` asks the writer to wait. 512 unless given. */
  readonly maxBatch?: number;
  /** Both events as one, or undefined where they stay two. Applied to neighbours that are not stored yet. */
  readonly fold?: (last: LogEntry, next: LogEntry) => LogEntry | undefined;
}

/**
 * The writing end of a log whose events survive the process. There is one writer at a time: the store refuses the events of
 * a second one.
 */
export interface DurableLog {
  /**
   * Adds an event. It is stored soon, not at once. Returns a promise if the backlog is full: wait for it before the next
   * event. The promise rejects with the store's failure.
   */
  append(entry: LogEntry): void | Promise<void>;
  /** Stores what is waiting. After a failure the events are kept, and the next call stores them. */
  flush(): Promise<void>;
  /** Stops the timer. Does not store what is waiting. */
  close(): void;
}

const DEFAULT_DELAY_MS = 100;
const DEFAULT_BATCH = 512;

/** Creates the writing end of a log. */
export function createDurableLog(options: DurableLogOptions): DurableLog {
  const { name, store, fold, delayMs = DEFAULT_DELAY_MS, maxBatch = DEFAULT_BATCH } = options;
  let { newest } = options;
  let waiting: LogEntry[] = [];
  /** The batch that is being stored, or whose storing failed. It is sent again as it was: the store may have it already. */
  let sent: LogEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    while (sent.length + waiting.length > 0) {
      if (sent.length === 0) {
        sent = waiting.slice(0, maxBatch);
        waiting = waiting.slice(sent.length);
      }
      await store.append(name, newest + 1, sent);
      newest += sent.length;
      sent = [];
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const done = writing.then(write);
    writing = done.catch(() => {});
    return done;
  };
  return {
    append(entry) {
      const last = waiting.at(-1);
      const folded = last && fold?.(last, entry);
      if (folded) waiting[waiting.length - 1] = folded;
      else waiting.push(entry);
      if (waiting.length >= maxBatch) return flush();
      // A failed write is tried again with the next event; `flush` reports the failure.
      timer ??= setTimeout(() => void flush().catch(() => {}), delayMs);
    },
    flush,
    close: () => clearTimeout(timer),
  };
}

export interface ReadLogOptions {
  readonly store: EventStore;
  /** An id of the log, or `<log>.0` for all of its events. */
  readonly after: string;
  /** Whether the log gets no more events. Asked only when all stored events were read. */
  isOver(): Promise<boolean>;
  /** Resolves when there may be more events. It may resolve too often, and must resolve when `signal` aborts. */
  changed(): Promise<void>;
  readonly signal?: AbortSignal;
  /** Events to read at once. 500 unless given. */
  readonly limit?: number;
}

/**
 * Reads a log from an id on, in lists, and follows it until it is over or `signal` aborts. A reader that leaves continues
 * with the id of its last event, also in another process: no event is lost or repeated. Returns `gone` if the id is malformed
 * or events after it were removed.
 */
export async function* readDurableLog(
  options: ReadLogOptions,
): AsyncGenerator<readonly LoggedEvent[], 'over' | 'left' | 'gone', void> {
  const { store, signal, limit = 500 } = options;
  const start = parseId(options.after);
  if (start === undefined) return 'gone';
  let { number } = start;
  for (;;) {
    if (signal?.aborted === true) return 'left';
    // Asked before reading: events that are stored between both calls are still read.
    const changed = options.changed();
    let found = await store.read(start.log, number, limit);
    if (found !== 'gone' && found.entries.length === 0 && (await options.isOver())) {
      // The last events may have been stored after the first read.
      found = await store.read(start.log, number, limit);
      if (found !== 'gone' && found.entries.length === 0) return 'over';
    }
    if (found === 'gone' || (found.entries.length > 0 && found.first > number + 1)) return 'gone';
    const { first, entries } = found;
    const events = entries
      .map((entry, index): LoggedEvent => ({ id: `${start.log}.${first + index}`, ...entry }))
      .slice(number + 1 - first);
    if (events.length === 0) await changed;
    else {
      number += events.length;
      yield events;
    }
  }
}

function parseId(id: string): { log: string; number: number } | undefined {
  const dot = id.lastIndexOf('.');
  const text = id.slice(dot + 1);
  return dot > 0 && /^\d{1,15}$/.test(text) ? { log: id.slice(0, dot), number: Number(text) } : undefined;
}
