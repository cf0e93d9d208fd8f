/** The keys that order an entry; also the place where a page ends. */
export interface Placed {
  readonly isDirectory: boolean;
  /** Size or time; 0 where the order is by name. */
  readonly key: number;
  readonly name: string;
}

/** As the page Files sorts: without case, and numbers in names by their value. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Directories first, then by key, then by name. No two names of one directory are equal in it. */
export function placedOrder(descending: boolean): (a: Placed, b: Placed) => number {
  const sign = descending ? -1 : 1;
  return (a, b) => {
    if (a.isDirectory !== b.isDirectory) return a.isDirectory ? -1 : 1;
    return sign * (a.key - b.key || names.compare(a.name, b.name) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  };
}
