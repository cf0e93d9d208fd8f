import type { GatewayStore } from './store.ts';

/** The persons' switches, remembered after the first look into the store. */
export class Switches {
  readonly #store: GatewayStore;
  readonly #known = new Map<string, boolean>();

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

  /** The switch, from the store where it is not known yet. @throws what the store throws */
  async load(userId: string): Promise<boolean> {
    const known = this.#known.get(userId);
    if (known !== undefined) return known;
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
