import type { Connection } from './connection.ts';

/** How long an idle machine may be silent before it gets a ping. */
const IDLE_MS = 10 * 60_000;
/** Calls in a row without a response after which a client without ping support counts as gone. */
const MAX_UNANSWERED = 2;

export interface SilenceParts {
  readonly now: () => number;
  /** A machine silent for longer gets a ping when its state matters. */
  readonly silenceMs: number;
  /** How long its answer may take. */
  readonly answerMs: number;
  /** Cuts the stream of a machine that is gone. `since`: when that became known. */
  readonly cut: (connection: Connection, since: number) => void;
}

/**
 * Detects machines that disappear silently: a sleeping laptop, a blocked network. Their streams look open until TCP
 * gives up, or for ever behind a proxy. A machine that has been silent gets a ping when its state matters, and every
 * ten minutes otherwise, so that thousands of idle ones cost almost nothing.
 */
export class SilentMachines {
  readonly #parts: SilenceParts;
  /** Machines whose answer to a ping is pending, with the time of the ping. */
  readonly #asked = new Map<Connection, number>();

  constructor(parts: SilenceParts) {
    this.#parts = parts;
  }

  /** Called when a machine is about to be used. */
  look(connection: Connection): void {
    const { now, silenceMs, cut } = this.#parts;
    if (!connection.hasStream) return;
    if (connection.machine.answersPings) this.#askAfter(connection, silenceMs);
    else if (connection.unanswered >= MAX_UNANSWERED) cut(connection, now());
  }

  /** Called once per ping for every other machine. */
  idle(connection: Connection): void {
    if (connection.hasStream && connection.machine.answersPings) this.#askAfter(connection, IDLE_MS);
  }

  /** Removes machines that answered, and cuts those whose time is over. */
  tick(): void {
    const { now, answerMs, cut } = this.#parts;
    for (const [connection, askedAt] of this.#asked) {
      const isOver = connection.heardAt >= askedAt || !connection.hasStream;
      const isLate = now() - askedAt >= answerMs;
      if (isOver || isLate) this.#asked.delete(connection);
      if (!isOver && isLate) cut(connection, askedAt);
    }
  }

  #askAfter(connection: Connection, silenceMs: number): void {
    const now = this.#parts.now();
    if (now - connection.heardAt < silenceMs || this.#asked.has(connection)) return;
    // A stream without room takes no ping. Its machine reads, or its stream is cut because nothing leaves it.
    if (connection.askForWord()) this.#asked.set(connection, now);
  }
}
