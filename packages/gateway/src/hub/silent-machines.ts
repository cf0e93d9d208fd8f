import type { Connection } from './connection.ts';

/** How long a silence means nothing, where nobody cares. */
const IDLE_MS = 10 * 60_000;
/** Calls in a row without an answer, of a client that cannot be asked otherwise. */
const MAX_UNANSWERED = 2;

export interface SilenceParts {
  readonly now: () => number;
  /** A machine that was silent for longer is asked for a word, when somebody cares. */
  readonly silenceMs: number;
  /** How long its answer may take. */
  readonly answerMs: number;
  /** Takes its stream away from a machine that is not there, since when it was known to be so. */
  readonly cut: (connection: Connection, since: number) => void;
}

/**
 * Notices machines that are gone without a word: a laptop that sleeps, a network that lets nothing through. Their streams
 * look open for as long as TCP hopes, a proxy between them for ever. A machine is asked for a word when somebody cares and
 * it has been silent, and every ten minutes otherwise, so that thousands of idle ones cost next to nothing.
 */
export class SilentMachines {
  readonly #parts: SilenceParts;
  /** Those asked for a word that did not come yet, with when. */
  readonly #asked = new Map<Connection, number>();

  constructor(parts: SilenceParts) {
    this.#parts = parts;
  }

  /** Somebody wants something of it now. */
  look(connection: Connection): void {
    const { now, silenceMs, cut } = this.#parts;
    if (!connection.hasStream) return;
    if (connection.machine.answersPings) this.#askAfter(connection, silenceMs);
    else if (connection.unanswered >= MAX_UNANSWERED) cut(connection, now());
  }

  /** Nobody wants anything of it; called once a ping. */
  idle(connection: Connection): void {
    if (connection.hasStream && connection.machine.answersPings) this.#askAfter(connection, IDLE_MS);
  }

  /** Lets go of those that answered, and cuts off those that had time to. */
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
    this.#asked.set(connection, now);
    connection.askForWord();
  }
}
