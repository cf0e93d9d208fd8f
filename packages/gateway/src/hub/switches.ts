import type { GatewayStore } from './store.ts';

/** The users' switches, cached in memory after the first read of the store. */
export class Switches {
  readonly #store: GatewayStore;
  readonly #isFresh: () => boolean;
  readonly #known = new Map<string, boolean>();
  readonly #loading = new Map<string, Promise<boolean>>();
  /** Counts changes made here, so that a value read before a change is not cached after it. */
  #changes = 0;

  /** @param isFresh whether changes by other processes arrive; while they do not, `load` reads the store every time */
  constructor(store: GatewayStore, isFresh: () => boolean) {
    this.#store = store;
    this.#isFresh = isFresh;
  }

  /** Off until it is known: call `load` before offering tools. */
  isOn(userId: string): boolean {
    return this.#known.get(userId) === true;
  }

  /** Whether the store was read already. */
  isKnown(userId: string): boolean {
    return this.#known.has(userId);
  }

  /** The users whose switch is cached. */
  users(): string[] {
    return [...this.#known.keys()];
  }

  /** The switch, from the store if it is not cached; concurrent callers share one query. @throws the store's errors */
  async load(userId: string): Promise<boolean> {
    const known = this.#known.get(userId);
    if (known !== undefined && this.#isFresh()) return known;
    let loading = this.#loading.get(userId);
    if (!loading) {
      loading = this.reload(userId).finally(() => this.#loading.delete(userId));
      this.#loading.set(userId, loading);
    }
    return loading;
  }

  /** Re-reads the switch from the store. @throws the store's errors */
  async reload(userId: string): Promise<boolean> {
    for (;;) {
      const before = this.#changes;
      const isOn = await this.#store.getToggle(userId);
      if (before !== this.#changes) continue;
      this.#known.set(userId, isOn);
      return isOn;
    }
  }

  /** Sets the switch, in the store first. @throws the store's errors */
  async set(userId: string, isOn: boolean): Promise<void> {
    this.#changes++;
    await this.#store.setToggle(userId, isOn);
    this.#changes++;
    this.#known.set(userId, isOn);
  }
}
