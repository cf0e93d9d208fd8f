/** Whether this page may invite a listening `croft connect`: not after its user disconnected it. */
export interface Rest {
  isWanted(): boolean;
  /** Stores it across reloads, for this user in this browser. */
  want(wanted: boolean): void;
}

/** Stores it in the browser; without storage, only until the page is closed. */
export function restOf(userId: string): Rest {
  const key = `croft.rest.${userId}`;
  return {
    isWanted() {
      try {
        return localStorage.getItem(key) !== null || kept.has(key);
      } catch {
        return kept.has(key);
      }
    },
    want(wanted) {
      if (wanted) kept.add(key);
      else kept.delete(key);
      try {
        if (wanted) localStorage.setItem(key, '1');
        else localStorage.removeItem(key);
      } catch {
        // Storage is switched off.
      }
    },
  };
}

const kept = new Set<string>();
