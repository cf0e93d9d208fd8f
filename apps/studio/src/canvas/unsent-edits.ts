import type { Edit } from '@croft/flow';

/** Edits that were made together: one step of undo. */
export interface Change {
  readonly edits: readonly Edit[];
}

/** Edits that the server may not have. */
export interface Unsent {
  /** The version that the edits were made for. */
  readonly since: number;
  readonly changes: readonly Change[];
  /** The request without an answer: its key, and how many of the changes it has. The server may have applied it. */
  readonly sending?: { readonly key: string; readonly count: number } | undefined;
}

/** Keeps the unsent edits of a flow over a reload of the tab. */
export interface UnsentEdits {
  read(): Unsent | undefined;
  write(unsent: Unsent | undefined): void;
}

/**
 * Keeps unsent edits of a user in a storage of the browser: another user of the same tab does not send them. A full or missing
 * storage keeps nothing; the page warns before it is closed.
 */
export function createUnsentEdits(
  userId: string,
  flowId: string,
  storage: () => Storage = () => sessionStorage,
): UnsentEdits {
  const name = `croft-unsent-edits:${userId}:${flowId}`;
  return {
    read() {
      try {
        const text = storage().getItem(name);
        return text === null ? undefined : (JSON.parse(text) as Unsent);
      } catch {
        return undefined;
      }
    },
    write(unsent) {
      try {
        storage().removeItem(name);
        if (unsent !== undefined && unsent.changes.length > 0) storage().setItem(name, JSON.stringify(unsent));
      } catch {
        // Too large, or the browser allows no storage.
      }
    },
  };
}
