import { TIMES } from '../frames.ts';
import { hashKey, makePairingToken } from '../tokens.ts';
import type { GatewayStore } from './store.ts';

/** A pairing token for the page. */
export interface NewPairing {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * The pairing tokens of this process, one per user. The store decides whether a token is valid; this memory lets a hub
 * check a request before it uses the token up, and show when the token expires.
 */
export class Pairings {
  readonly #store: GatewayStore;
  readonly #now: () => number;
  readonly #byUser = new Map<string, { token: string; tokenHash: string; expiresAt: number }>();
  readonly #users = new Map<string, string>();

  constructor(store: GatewayStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * The user's open token, so that a reloaded page shows the command that was copied before; a new one if there is
   * none, or with `renew`. A new token invalidates the older one.
   */
  async open(userId: string, renew: boolean): Promise<NewPairing> {
    const known = this.#byUser.get(userId);
    if (!renew && known !== undefined && this.expiresAt(userId) !== undefined) {
      // Another process with the same store may have used or replaced it.
      if (await this.#store.findPairing(known.tokenHash))
        return { token: known.token, expiresAt: new Date(known.expiresAt) };
    }
    return this.#make(userId);
  }

  async #make(userId: string): Promise<NewPairing> {
    const token = makePairingToken();
    const tokenHash = hashKey(token);
    const expiresAt = this.#now() + TIMES.pairingMs;
    await this.#store.savePairing({ tokenHash, userId, expiresAt: new Date(expiresAt) });
    this.#forget(userId);
    this.#byUser.set(userId, { token, tokenHash, expiresAt });
    this.#users.set(tokenHash, userId);
    return { token, expiresAt: new Date(expiresAt) };
  }

  /** The user of a valid token, without using the token up. Knows only tokens created by this process. */
  peek(tokenHash: string): string | undefined {
    const userId = this.#users.get(tokenHash);
    return userId !== undefined && this.expiresAt(userId) !== undefined ? userId : undefined;
  }

  /** Uses up a token in the store. */
  async take(tokenHash: string): Promise<{ userId: string; expired: boolean } | undefined> {
    const userId = this.#users.get(tokenHash);
    const taken = await this.#store.takePairing(tokenHash, new Date(this.#now()));
    if (userId !== undefined) this.#forget(userId);
    return taken;
  }

  /** Invalidates the user's unused token. */
  async drop(userId: string): Promise<void> {
    await this.#store.removePairing(userId);
    this.#forget(userId);
  }

  /** When the user's unused token expires. */
  expiresAt(userId: string): number | undefined {
    const expiresAt = this.#byUser.get(userId)?.expiresAt;
    return expiresAt !== undefined && expiresAt > this.#now() ? expiresAt : undefined;
  }

  /** Forgets expired tokens. They stay in the store, so that their users get the reason. */
  sweep(): void {
    for (const userId of this.#byUser.keys()) if (this.expiresAt(userId) === undefined) this.#forget(userId);
  }

  /** Forgets the user's token in memory: another process created a newer one, or used this one up. */
  forget(userId: string): void {
    this.#forget(userId);
  }

  #forget(userId: string): void {
    const known = this.#byUser.get(userId);
    this.#byUser.delete(userId);
    if (known) this.#users.delete(known.tokenHash);
  }
}
