import { applyEdits, type Edit, type FlowDocument } from '@croft/flow';
import type { Entry } from './edit-server.ts';

/** Enough for the edits of one turn of the assistant. */
const MAX_RECEIVED = 500;

/** The edits that came from the server, with how to take them back. */
export interface ReceivedEdits {
  /** Applies entries one by one, and remembers them. @throws FlowError */
  apply(flow: FlowDocument, entries: readonly Entry[]): { readonly flow: FlowDocument; readonly inverse: Edit };
  /**
   * Removes the entries with these versions. Gives the edit that takes them back together, and the edits of others after
   * the first of them; undefined where none was received.
   */
  take(versions: ReadonlySet<number>): { readonly inverse: Edit; readonly others: readonly Edit[] } | undefined;
}

export function createReceivedEdits(): ReceivedEdits {
  let received: readonly (Entry & { readonly inverse: Edit })[] = [];
  const together = (inverses: readonly Edit[]): Edit => ({ kind: 'batch', edits: inverses.toReversed() });
  return {
    apply(flow, entries) {
      let now = flow;
      const applied = entries.map((entry) => {
        const next = applyEdits(now, entry.edits);
        now = next.flow;
        return { ...entry, inverse: next.inverse };
      });
      received = [...received, ...applied].slice(-MAX_RECEIVED);
      return { flow: now, inverse: together(applied.map(({ inverse }) => inverse)) };
    },
    take(versions) {
      const taken = received.filter(({ version }) => versions.has(version));
      const [first] = taken;
      if (first === undefined) return undefined;
      received = received.filter(({ version }) => !versions.has(version));
      const others = received.filter(({ version }) => version > first.version).flatMap(({ edits }) => edits);
      return { inverse: together(taken.map(({ inverse }) => inverse)), others };
    },
  };
}
