import type { ServerResponse } from 'node:http';
import type { Connection } from './connection.ts';
import { EventStream } from './event-stream.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';

/**
 * Streams opened with a pairing token, before the `init` that uses it up: clients of the first dialect start with the
 * stream. One per token, while the token is valid.
 */
export class WaitingStreams {
  readonly #machines: Machines;
  readonly #pairings: Pairings;
  readonly #byToken = new Map<string, EventStream>();

  constructor(machines: Machines, pairings: Pairings) {
    this.#machines = machines;
    this.#pairings = pairings;
  }

  /** Opens a stream and ends an older one of the same token. */
  open(tokenHash: string, res: ServerResponse): void {
    this.#byToken.get(tokenHash)?.end();
    const stream = new EventStream(res);
    stream.onClose = () => {
      if (this.#byToken.get(tokenHash) === stream) this.#byToken.delete(tokenHash);
    };
    this.#byToken.set(tokenHash, stream);
  }

  /** Moves the open stream of a used token to its connection. */
  adopt(tokenHash: string, connection: Connection): void {
    const stream = this.#byToken.get(tokenHash);
    this.#byToken.delete(tokenHash);
    if (stream?.isOpen) this.#machines.attach(connection, stream, undefined);
  }

  /** Called once a period: pings the streams, and ends those whose token has expired. */
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
