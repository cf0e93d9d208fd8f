import type { ActivityEntry } from './activity-entry.ts';

/** The versions of files that were restored as copies. A copy has a version of its own, and older entries have the old one. */
export interface RestoredVersions {
  add(version: string, copy: string): void;
  /** The version of the newest copy; the same version if there is none. */
  latest(version: string): string;
}

/** Collects what the entries say of restored files. The oldest entry comes first. */
export function restoredVersions(entries: readonly ActivityEntry[]): RestoredVersions {
  const copies = new Map<string, { readonly order: number; readonly copy: string }[]>();
  let count = 0;
  const add = (version: string, copy: string) => {
    const known = copies.get(version) ?? [];
    copies.set(version, known);
    known.push({ order: count++, copy });
  };
  for (const { aliases } of entries) for (const [version, copy] of Object.entries(aliases ?? {})) add(version, copy);
  return {
    add,
    latest(version) {
      // A file system uses the inode of a removed file again, so a copy can have the version of an older one: follow
      // copies in the order of time only.
      let order = -1;
      for (;;) {
        const next = copies.get(version)?.find((each) => each.order > order);
        if (next === undefined) return version;
        order = next.order;
        version = next.copy;
      }
    },
  };
}
