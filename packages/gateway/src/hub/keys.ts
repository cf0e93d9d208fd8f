import { FRAME_LIMITS } from '../frames.ts';
import { hashKey, sameHash } from '../tokens.ts';
import { REFUSALS } from './gateway-error.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';
import type { GatewayStore } from './store.ts';

/** An identified key. A pairing token is only checked here; `init` uses it up. */
export type KnownKey =
  | { readonly kind: 'static' | 'session'; readonly keyHash: string; readonly userId: string }
  | { readonly kind: 'pairing'; readonly keyHash: string; readonly userId: string | undefined };

export interface KeyParts {
  readonly store: GatewayStore;
  readonly machines: Machines;
  readonly pairings: Pairings;
  readonly staticKey: { readonly key: string; readonly userId: string } | undefined;
  readonly idleMs: number;
  readonly now: () => number;
  /** Whether changes by other processes arrive. */
  readonly isFresh: () => boolean;
}

/** Identifies keys and their users. Compares and looks up only hashes. */
export class Keys {
  readonly #parts: KeyParts;
  readonly #staticHash: string | undefined;

  constructor(parts: KeyParts) {
    this.#parts = parts;
    this.#staticHash = parts.staticKey && hashKey(parts.staticKey.key);
  }

  /** Whether this is the hash of the static key. */
  isStatic(keyHash: string): boolean {
    return this.#staticHash !== undefined && sameHash(keyHash, this.#staticHash);
  }

  /** @throws GatewayError `missing_key`, `invalid_key`, `expired_key` */
  async identify(key: string | undefined): Promise<KnownKey> {
    if (key === undefined || key === '') throw REFUSALS.missingKey();
    if (key.length > FRAME_LIMITS.maxKeyChars) throw REFUSALS.invalidKey();
    const keyHash = hashKey(key);
    const { staticKey, pairings } = this.#parts;
    // While the configured user does not exist yet, the static key has no user and gives no access.
    if (staticKey && this.#staticHash && sameHash(keyHash, this.#staticHash) && staticKey.userId !== '')
      return { kind: 'static', keyHash, userId: staticKey.userId };
    // This process does not know tokens from before a restart; the store may.
    if (key.startsWith('gw_')) return { kind: 'pairing', keyHash, userId: pairings.peek(keyHash) };
    return { kind: 'session', keyHash, userId: await this.sessionUser(keyHash) };
  }

  /** Whether the store has this key for this user. @throws the store's errors */
  async isOfUser(keyHash: string, userId: string): Promise<boolean> {
    return (await this.#parts.store.findSession(keyHash))?.userId === userId;
  }

  /**
   * The user of a session. A connected machine is known in memory, so its responses need no database while changes by
   * other processes arrive.
   *
   * @throws GatewayError `invalid_key`, `expired_key`
   */
  async sessionUser(keyHash: string): Promise<string> {
    const { store, machines, idleMs, now, isFresh } = this.#parts;
    const connected = machines.ofKey(keyHash);
    if (connected && isFresh()) return connected.machine.userId;
    const session = await store.findSession(keyHash);
    if (!session) throw REFUSALS.invalidKey();
    if (now() - session.lastSeenAt.getTime() > idleMs) throw REFUSALS.expiredKey();
    return session.userId;
  }
}
