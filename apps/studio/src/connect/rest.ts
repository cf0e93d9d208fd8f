/** Whether this browser shall leave a listening `croft connect` alone: its person disconnected it. */
export interface Rest {
  isWanted(): boolean;
  /** Keeps it over reloads, for this person in this browser. */
  want(wanted: boolean): void;
}

/** Remembers it in the browser; where that keeps nothing, for as long as the page is open. */
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
