import { TIMES } from '../frames.ts';
import { hashKey, makePairingToken } from '../tokens.ts';
import type { GatewayStore } from './store.ts';

/** A pairing token as the page shows it. */
export interface NewPairing {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * The pairing tokens of this process, one a user. The store decides whether a token is good; this memory lets a hub
 * look at a request before it uses the token up, and show how long it is good for.
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
   * The user's open token, so that a page that is loaded again shows the command that was copied before; a new one when
   * there is none, and with `renew`. A new token invalidates the older one.
   */
  async open(userId: string, renew: boolean): Promise<NewPairing> {
    const known = this.#byUser.get(userId);
    if (!renew && known !== undefined && this.expiresAt(userId) !== undefined) {
      // Another process on the same store may have used or replaced it.
      if (await this.#store.hasPairing(known.tokenHash))
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

  /** Whose token this is, while it is good; without using it up. Knows only those made since the process began. */
  peek(tokenHash: string): string | undefined {
    const userId = this.#users.get(tokenHash);
    return userId !== undefined && this.expiresAt(userId) !== undefined ? userId : undefined;
  }

  /** Uses a token up, in the store. */
  async take(tokenHash: string): Promise<{ userId: string; expired: boolean } | undefined> {
    const userId = this.#users.get(tokenHash);
    const taken = await this.#store.takePairing(tokenHash, new Date(this.#now()));
    if (userId !== undefined) this.#forget(userId);
    return taken;
  }

  /** Makes the user's unused token worthless. */
  async drop(userId: string): Promise<void> {
    await this.#store.removePairing(userId);
    this.#forget(userId);
  }

  /** Until when the user's unused token is good. */
  expiresAt(userId: string): number | undefined {
    const expiresAt = this.#byUser.get(userId)?.expiresAt;
    return expiresAt !== undefined && expiresAt > this.#now() ? expiresAt : undefined;
  }

  /** Forgets tokens that are no longer good. They stay in the store, so that their users are told why. */
  sweep(): void {
    for (const userId of this.#byUser.keys()) if (this.expiresAt(userId) === undefined) this.#forget(userId);
  }

  /** Forgets the user's token in memory: another process made a newer one, or used this one up. */
  forget(userId: string): void {
    this.#forget(userId);
  }

  #forget(userId: string): void {
    const known = this.#byUser.get(userId);
    this.#byUser.delete(userId);
    if (known) this.#users.delete(known.tokenHash);
  }
}
