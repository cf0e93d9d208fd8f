import type { ServerResponse } from 'node:http';
import type { Connection } from './connection.ts';
import { EventStream } from './event-stream.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';

/**
 * Streams opened with a pairing token, before the `init` that uses it up: the seed's diagram begins with the stream.
 * One a token, for as long as the token is good.
 */
export class WaitingStreams {
  readonly #machines: Machines;
  readonly #pairings: Pairings;
  readonly #byToken = new Map<string, EventStream>();

  constructor(machines: Machines, pairings: Pairings) {
    this.#machines = machines;
    this.#pairings = pairings;
  }

  /** Opens one; an older one of the same token ends. */
  open(tokenHash: string, res: ServerResponse): void {
    this.#byToken.get(tokenHash)?.end();
    const stream = new EventStream(res);
    stream.onClose = () => {
      if (this.#byToken.get(tokenHash) === stream) this.#byToken.delete(tokenHash);
    };
    this.#byToken.set(tokenHash, stream);
  }

  /** The token was used: its stream, if it is open, becomes that connection's. */
  adopt(tokenHash: string, connection: Connection): void {
    const stream = this.#byToken.get(tokenHash);
    this.#byToken.delete(tokenHash);
    if (stream?.isOpen) this.#machines.attach(connection, stream, undefined);
  }

  /** Once a period: pings them, and ends those whose token is no longer good. */
  ping(): void {
    for (const [tokenHash, stream] of this.#byToken) {
      if (this.#pairings.peek(tokenHash) === undefined) stream.end();
      else stream.ping(false);
    }
  }

  endAll(): void {
    for (const stream of this.#byToken.values()) stream.end();
    this.#byToken.clear();
  }
}
