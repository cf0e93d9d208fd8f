import { createContext, useContext, useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import type { WireEnd } from './fitting-ports.ts';

/** The wire that is being drawn, and the ports that it fits, by node. */
export interface Wiring {
  readonly end: WireEnd;
  readonly fits: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The wire of a page, outside of React: only the nodes whose ports change draw again. */
export interface WiringStore {
  readonly get: () => Wiring | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  set(wiring: Wiring | undefined): void;
}

/** Creates the store of a page. */
export function createWiringStore(): WiringStore {
  let state: Wiring | undefined;
  const { subscribe, notify } = createListeners();
  return {
    get: () => state,
    subscribe,
    set(next) {
      state = next;
      notify();
    },
  };
}

/** The store of the page around a component. */
export const WiringContext = createContext<WiringStore>(createWiringStore());

const NONE: ReadonlySet<string> = new Set();

/** The ports of a node that the wire fits; undefined while no wire is drawn. */
export function useFits(node: string): ReadonlySet<string> | undefined {
  const { subscribe, get } = useContext(WiringContext);
  return useSyncExternalStore(subscribe, () => {
    const wiring = get();
    return wiring && (wiring.fits.get(node) ?? NONE);
  });
}
