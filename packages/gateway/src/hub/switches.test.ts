import { beforeEach, describe, expect, it } from 'vitest';
import { memoryGatewayStore } from './memory-store.ts';
import type { GatewayStore } from './store.ts';
import { Switches } from './switches.ts';

let store: GatewayStore;
let reads: number;
let isFresh: boolean;
let switches: Switches;
/** Each read of the store waits for it. */
let gate: Promise<void>;
beforeEach(() => {
  const memory = memoryGatewayStore();
  reads = 0;
  isFresh = true;
  gate = Promise.resolve();
  store = {
    ...memory,
    async getToggle(userId) {
      reads++;
      const isOn = await memory.getToggle(userId);
      await gate;
      return isOn;
    },
  };
  switches = new Switches(store, () => isFresh);
});

describe("a user's switch", () => {
  it('is off until it was read, and then as the store has it', async () => {
    expect([switches.isOn('ada'), switches.isKnown('ada')]).toEqual([false, false]);
    expect(await switches.load('ada')).toBe(true);
    expect([switches.isOn('ada'), switches.isKnown('ada')]).toEqual([true, true]);
    expect(switches.isOn('bob')).toBe(false);
    expect(switches.users()).toEqual(['ada']);
  });

  it('is read once for concurrent callers, and not again while changes of others arrive', async () => {
    expect(await Promise.all([switches.load('ada'), switches.load('ada')])).toEqual([true, true]);
    await switches.load('ada');
    expect(reads).toBe(1);
    isFresh = false;
    await store.setToggle('ada', false);
    expect(await switches.load('ada')).toBe(false);
    expect([switches.isOn('ada'), reads]).toEqual([false, 2]);
  });

  it('is set in the store first', async () => {
    await switches.set('ada', false);
    expect([switches.isOn('ada'), await store.getToggle('ada')]).toEqual([false, false]);
    const broken = new Switches({ ...store, setToggle: () => Promise.reject(new Error('disk full')) }, () => true);
    await expect(broken.set('ada', true)).rejects.toThrow('disk full');
    expect([broken.isOn('ada'), broken.isKnown('ada')]).toEqual([false, false]);
  });

  it('is not cached as it was before a change that came during the read', async () => {
    let open = () => undefined as void;
    gate = new Promise((resolve) => (open = resolve));
    const loading = switches.load('ada');
    await switches.set('ada', false);
    open();
    expect(await loading).toBe(false);
    expect(switches.isOn('ada')).toBe(false);
  });
});
