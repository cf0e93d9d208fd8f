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

  /** As it is now, of what is known now: the switch reads as off until the store was asked. */
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
      enabled: switches.isOn(userId),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    };
  }

  /** The same, the switch being asked for where it is not known. @throws what the store throws */
  async load(userId: string): Promise<GatewayStatus> {
    await this.#parts.switches.load(userId);
    return this.of(userId);
  }

  /** Something of it may have changed: tells whoever wants to know, once the switch is known. Never throws. */
  changed(userId: string): void {
    const { switches, log } = this.#parts;
    const { connected } = this.of(userId);
    if (connected !== this.#connectedUsers.has(userId)) {
      if (connected) this.#connectedUsers.add(userId);
      else this.#connectedUsers.delete(userId);
      log({ event: connected ? 'connected' : 'disconnected', userId });
    }
    if (switches.isKnown(userId)) return this.#tell(userId);
    switches.load(userId).then(
      () => this.#tell(userId),
      (error: unknown) => log({ event: 'failed', userId, error }),
    );
  }

  #tell(userId: string): void {
    const { onChange, log } = this.#parts;
    try {
      onChange?.(userId, this.of(userId));
    } catch (error) {
      log({ event: 'failed', userId, error });
    }
  }
}
