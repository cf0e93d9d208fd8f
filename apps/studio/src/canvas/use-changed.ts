import { useEffect, useSyncExternalStore } from 'react';
import { begunFlow, changedSince } from './changed-since.ts';
import type { EditState } from './edit-state.ts';
import type { RunStore } from './run-store.ts';

/** Keeps in the store which components changed after the run began. */
export function useChanged(store: RunStore, { document, version }: Pick<EditState, 'document' | 'version'>): void {
  const begun = useSyncExternalStore(store.subscribe, () => store.get().begun);
  useEffect(() => {
    if (begun === undefined) return;
    const { knows, ...state } = store.flush();
    // Edits that the run has may come to this page after its first events.
    if (knows !== undefined && version <= knows) {
      const isThere = version === knows;
      const next = begun.document === document ? begun : begunFlow(document);
      if (isThere || next !== begun) store.set({ ...state, begun: next, ...(!isThere && { knows }) });
      return;
    }
    const changed = changedSince(begun, document);
    if (!isSameSet(state.changed, changed)) store.set({ ...state, changed });
  }, [store, begun, document, version]);
}

const isSameSet = (one: ReadonlySet<string> = new Set(), other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));
