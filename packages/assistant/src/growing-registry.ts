import type { Registry } from '@croft/flow';

/** The components of one turn: those that it began with, and those that it generates. */
export interface GrowingRegistry extends Registry {
  /** Adds a component, or replaces one that was added before. A type that the turn began with stays as it is. */
  add(entry: Registry['entries'][number]): void;
}

/** @param isOwn whether a type of the base is the user's own, which a new version may replace */
export function growingRegistry(base: Registry, isOwn: (type: string) => boolean): GrowingRegistry {
  const added = new Map<string, Registry['entries'][number]>();
  return {
    get entries() {
      const replaced = base.entries.filter(({ descriptor }) => !added.has(descriptor.type));
      return [...replaced, ...added.values()];
    },
    get: (type) => added.get(type) ?? base.get(type),
    add(entry) {
      const { type } = entry.descriptor;
      if (base.get(type) === undefined || isOwn(type)) added.set(type, entry);
    },
  };
}
