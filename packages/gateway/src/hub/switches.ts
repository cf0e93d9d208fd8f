import type { GatewayStore } from './store.ts';

/** The switches of the users, kept in memory after the first look into the store. */
export class Switches {
  readonly #store: GatewayStore;
  readonly #isFresh: () => boolean;
  readonly #known = new Map<string, boolean>();
  readonly #loading = new Map<string, Promise<boolean>>();
  /** Counts changes made here, so that a value read before one is not kept after it. */
  #changes = 0;

  /** @param isFresh whether changes by other processes arrive; while they do not, `load` asks the store every time */
  constructor(store: GatewayStore, isFresh: () => boolean) {
    this.#store = store;
    this.#isFresh = isFresh;
  }

  /** Off until it is known: call `load` before offering tools by it. */
  isOn(userId: string): boolean {
    return this.#known.get(userId) === true;
  }

  /** Whether the store was asked already. */
  isKnown(userId: string): boolean {
    return this.#known.has(userId);
  }

  /** The users whose switch is in memory. */
  users(): string[] {
    return [...this.#known.keys()];
  }

  /** The switch, from the store where memory does not have it; callers at the same time share one query. @throws what the store throws */
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

  /** The switch as the store has it now. @throws what the store throws */
  async reload(userId: string): Promise<boolean> {
    for (;;) {
      const before = this.#changes;
      const isOn = await this.#store.getToggle(userId);
      if (before !== this.#changes) continue;
      this.#known.set(userId, isOn);
      return isOn;
    }
  }

  /** Turns it, in the store first. @throws what the store throws */
  async set(userId: string, isOn: boolean): Promise<void> {
    this.#changes++;
    await this.#store.setToggle(userId, isOn);
    this.#changes++;
    this.#known.set(userId, isOn);
  }
}
