import type { GatewayStatus } from '../frames.ts';
import type { HubOptions, LogEvent } from './hub-options.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';
import type { Switches } from './switches.ts';

/** What the statuses are made of, and who is told. */
export interface StatusParts {
  readonly machines: Machines;
  readonly pairings: Pairings;
  readonly switches: Switches;
  readonly onChange: HubOptions['onChange'];
  readonly log: LogEvent;
}

/** What pages show of the users' machines, and the word to server and log when it changed. */
export class Statuses {
  readonly #parts: StatusParts;
  /** As last said in the log. */
  readonly #connectedUsers = new Set<string>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** As it is now, of what is known now. */
  of(userId: string): GatewayStatus {
    const { machines, pairings, switches } = this.#parts;
    const connection = machines.ofUser(userId);
    const machine = connection?.isConnected ? connection.machine : undefined;
    const expiresAt = pairings.expiresAt(userId);
    return {
      connected: machine !== undefined,
      connectedAt: machine && connection ? new Date(connection.connectedAt).toISOString() : null,
      directory: machine && connection ? connection.rootPath : null,
      hostIdentifier: machine?.host ?? null,
      toolCategories: machine?.categories ?? [],
      enabled: switches.isOn(userId) || !switches.isKnown(userId),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    };
  }

  /** Something of it may have changed: tells whoever wants to know. Never throws. */
  changed(userId: string): void {
    const { onChange, log } = this.#parts;
    const status = this.of(userId);
    if (status.connected !== this.#connectedUsers.has(userId)) {
      if (status.connected) this.#connectedUsers.add(userId);
      else this.#connectedUsers.delete(userId);
      log({ event: status.connected ? 'connected' : 'disconnected', userId });
    }
    try {
      onChange?.(userId, status);
    } catch (error) {
      log({ event: 'failed', userId, error });
    }
  }
}
