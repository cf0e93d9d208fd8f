import type { GatewayStatus } from '../frames.ts';
import type { HubOptions, LogEvent } from './hub-options.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';
import { cleanPath } from './remote/machine-text.ts';
import type { Switches } from './switches.ts';

/** The sources of a status, and its listeners. */
export interface StatusParts {
  readonly machines: Machines;
  readonly pairings: Pairings;
  readonly switches: Switches;
  readonly onChange: HubOptions['onChange'];
  readonly log: LogEvent;
}

/** The status of users' machines for pages, and its change events for server and log. */
export class Statuses {
  readonly #parts: StatusParts;
  /** Users last logged as connected. */
  readonly #connectedUsers = new Set<string>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** The status as known now: the switch counts as off until the store was read. */
  of(userId: string): GatewayStatus {
    const { machines, pairings, switches } = this.#parts;
    const connection = machines.ofUser(userId);
    const machine = connection?.isConnected ? connection.machine : undefined;
    const expiresAt = pairings.expiresAt(userId);
    return {
      connected: machine !== undefined,
      connectedAt: machine && connection ? new Date(connection.connectedAt).toISOString() : null,
      directory: machine && connection ? cleanPath(connection.rootPath) : null,
      hostIdentifier: machine?.host ?? null,
      toolCategories: machine?.categories ?? [],
      enabled: switches.isOn(userId),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    };
  }

  /** The status, after reading the switch if it is unknown. @throws the store's errors */
  async load(userId: string): Promise<GatewayStatus> {
    await this.#parts.switches.load(userId);
    return this.of(userId);
  }

  /** Reports a possible change to the listeners, once the switch is known. Never throws. */
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
