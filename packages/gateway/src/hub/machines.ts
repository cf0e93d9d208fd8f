import type { DisconnectReason } from '../frames.ts';
import { Connection, type ConnectionLimits, type Machine } from './connection.ts';
import type { EventStream } from './event-stream.ts';
import type { CallEnd } from './pending-calls.ts';
import { SilentMachines } from './silent-machines.ts';

/** Number of slices over which the pings of one period are spread. */
export const PING_SLICES = 10;

/** Called when the status of a user's machine may have changed. */
export type OnChange = (userId: string) => void;

export interface MachinesOptions {
  readonly graceMs: number;
  readonly silenceMs: number;
  readonly answerMs: number;
  readonly onChange: OnChange;
  readonly onGone: (connection: Connection) => void;
}

/** The connected machines: one per user, the newest wins. */
export class Machines {
  readonly #limits: ConnectionLimits;
  readonly #graceMs: number;
  readonly #onChange: OnChange;
  readonly #byUser = new Map<string, Connection>();
  readonly #byKey = new Map<string, Connection>();
  /** Machines without a stream, so that checking them costs nothing in normal operation. */
  readonly #dropped = new Map<Connection, { wasConnected: boolean }>();
  readonly #onGone: (connection: Connection) => void;
  readonly #silent: SilentMachines;
  #generation = 0;
  #slice = 0;

  /**
   * @param graceMs how long a machine without a stream is remembered; then a client must send `init` again
   * @param silenceMs how long a machine may be silent before a look at it sends a ping
   * @param answerMs how long the answer to that ping may take before the machine counts as gone
   * @param onGone called for every connection that ended, for any reason
   */
  constructor(limits: ConnectionLimits, options: MachinesOptions) {
    const { graceMs, onChange, onGone, silenceMs, answerMs } = options;
    this.#limits = limits;
    this.#graceMs = graceMs;
    this.#onChange = onChange;
    this.#onGone = onGone;
    this.#silent = new SilentMachines({
      now: limits.now,
      silenceMs,
      answerMs,
      cut: (connection, since) => {
        if (connection.cut(since)) this.#dropped.set(connection, { wasConnected: true });
      },
    });
  }

  /** The number of machines, connected or remembered. */
  get size(): number {
    return this.#byUser.size;
  }

  ofUser(userId: string): Connection | undefined {
    return this.#byUser.get(userId);
  }

  /** Sends a ping to the user's machine if it was silent. Call when the state of the machine matters. */
  lookAt(userId: string): void {
    const connection = this.#byUser.get(userId);
    if (connection) this.#silent.look(connection);
  }

  ofKey(keyHash: string): Connection | undefined {
    return this.#byKey.get(keyHash);
  }

  /** The users with a machine. */
  users(): string[] {
    return [...this.#byUser.keys()];
  }

  /** Hashes of the keys in use. */
  keysInUse(): string[] {
    return [...this.#byUser.values()].filter((one) => one.hasStream).map(({ machine }) => machine.keyHash);
  }

  /**
   * Adds a machine that sent `init`. The user's older connection ends, and its client gets the reason.
   *
   * @param isSameClient only one client has the key, so an open stream with this key is from the same client and moves
   * to the new connection
   */
  add(machine: Machine, isSameClient: boolean): Connection {
    const stream = isSameClient ? this.#byKey.get(machine.keyHash)?.release() : undefined;
    this.end(machine.userId, 'superseded', 'superseded');
    const connection = new Connection(machine, ++this.#generation, this.#limits);
    this.#byUser.set(machine.userId, connection);
    this.#byKey.set(machine.keyHash, connection);
    this.#dropped.set(connection, { wasConnected: false });
    if (stream?.isOpen) this.attach(connection, stream, undefined);
    return connection;
  }

  /** A stream of this machine opened. */
  attach(connection: Connection, stream: EventStream, lastEventId: string | undefined): void {
    const wasConnected = connection.isConnected;
    stream.onClose = () => this.#detach(connection, stream);
    connection.attach(stream, lastEventId);
    this.#dropped.delete(connection);
    if (!wasConnected) this.#onChange(connection.machine.userId);
  }

  /** Ends the user's connection, if there is one. */
  end(userId: string, why: CallEnd, tell?: DisconnectReason): boolean {
    const connection = this.#byUser.get(userId);
    if (!connection) return false;
    this.#byUser.delete(userId);
    this.#byKey.delete(connection.machine.keyHash);
    this.#dropped.delete(connection);
    connection.end(why, tell);
    this.#onGone(connection);
    return true;
  }

  /** Ends all connections; the clients may come back. */
  endAll(why: CallEnd): void {
    for (const userId of this.#byUser.keys()) this.end(userId, why);
  }

  /** The hub's one timer, ten times per period: pings a tenth of the streams, and checks machines without one. */
  tick(): void {
    this.#slice = (this.#slice + 1) % PING_SLICES;
    this.#silent.tick();
    for (const connection of this.#byUser.values()) {
      if (connection.generation % PING_SLICES !== this.#slice) continue;
      connection.ping();
      this.#silent.idle(connection);
    }
    for (const [connection, state] of this.#dropped) {
      const { userId } = connection.machine;
      if (state.wasConnected && !connection.isConnected) {
        state.wasConnected = false;
        this.#onChange(userId);
      }
      if (this.#limits.now() - (connection.droppedAt ?? 0) >= this.#graceMs) this.end(userId, 'disconnected');
    }
  }

  /** A stream closed. Only the current stream of the current connection matters. */
  #detach(connection: Connection, stream: EventStream): void {
    if (connection.detach(stream) && this.#byUser.get(connection.machine.userId) === connection)
      this.#dropped.set(connection, { wasConnected: true });
  }
}
