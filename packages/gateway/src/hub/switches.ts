import type { GatewayStore } from './store.ts';

/** The persons' switches, remembered after the first look into the store. */
export class Switches {
  readonly #store: GatewayStore;
  readonly #known = new Map<string, boolean>();
  readonly #loading = new Map<string, Promise<boolean>>();

  constructor(store: GatewayStore) {
    this.#store = store;
  }

  /** Off until it is known: whoever offers tools by it has to have asked `load` before. */
  isOn(userId: string): boolean {
    return this.#known.get(userId) === true;
  }

  /** Whether the store was asked already. */
  isKnown(userId: string): boolean {
    return this.#known.has(userId);
  }

  /** The switch, from the store where it is not known yet; of many who ask at once, one does. @throws what the store throws */
  async load(userId: string): Promise<boolean> {
    const known = this.#known.get(userId);
    if (known !== undefined) return known;
    let loading = this.#loading.get(userId);
    if (!loading) {
      loading = this.#ask(userId).finally(() => this.#loading.delete(userId));
      this.#loading.set(userId, loading);
    }
    return loading;
  }

  async #ask(userId: string): Promise<boolean> {
    const stored = await this.#store.getToggle(userId);
    // Somebody may have turned it in the meantime.
    const isOn = this.#known.get(userId) ?? stored;
    this.#known.set(userId, isOn);
    return isOn;
  }

  /** Turns it, in the store first. @throws what the store throws */
  async set(userId: string, isOn: boolean): Promise<void> {
    await this.#store.setToggle(userId, isOn);
    this.#known.set(userId, isOn);
  }
}
