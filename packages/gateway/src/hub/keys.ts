import { FRAME_LIMITS } from '../frames.ts';
import { hashKey, sameHash } from '../tokens.ts';
import { REFUSALS } from './gateway-error.ts';
import type { Machines } from './machines.ts';
import type { Pairings } from './pairings.ts';
import type { GatewayStore } from './store.ts';

/** What a key turned out to be. A pairing token is only looked at here, and used up by `init`. */
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

/** Tells what a key is and whose. Only hashes are compared and looked up. */
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
    // Without a user, as long as the configured one is not there yet, the key opens nothing.
    if (staticKey && this.#staticHash && sameHash(keyHash, this.#staticHash) && staticKey.userId !== '')
      return { kind: 'static', keyHash, userId: staticKey.userId };
    // A token of before a restart is not known here; the store may still know it.
    if (key.startsWith('gw_')) return { kind: 'pairing', keyHash, userId: pairings.peek(keyHash) };
    return { kind: 'session', keyHash, userId: await this.sessionUser(keyHash) };
  }

  /** Whether the store has this key for this user. @throws what the store throws */
  async isOfUser(keyHash: string, userId: string): Promise<boolean> {
    return (await this.#parts.store.findSession(keyHash))?.userId === userId;
  }

  /**
   * Whose session this is. A connected machine is known in memory, so its answers need no database while changes by
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
