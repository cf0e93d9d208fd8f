import { type Change, isSameButMoved } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import { restoredVersions } from './restored-versions.ts';

/** All changes of a log, oldest first, for following the content of files through them. */
export interface ChangeHistory {
  readonly changes: readonly Change[];
  /** The index of the first change of an entry. */
  readonly startOf: (id: string) => number;
  /** Whether a file at the version `found` has the content that was recorded as `recorded`. */
  readonly isSame: (found: string, recorded: string) => boolean;
  /** By the id in the trash: where an undo moved the content back to. */
  readonly restored: ReadonlyMap<string, ContentAt>;
  /** The same for folders: the digest of their content then. */
  readonly restoredFolders: ReadonlyMap<string, string>;
}

/** Content of a file, and the index of the first change after it. */
export interface ContentAt {
  readonly path: string;
  readonly version: string;
  readonly next: number;
}

/** Where content is now. */
export interface ContentSource {
  /** The change for which the trash keeps it; undefined if the file still has it. */
  readonly kept?: Change;
  /** The path of the file now. */
  readonly path: string;
  /** The version that the file or the kept item must have. */
  readonly version: string;
  /** Later changes added text after so many bytes. */
  readonly length?: number;
}

/** Another program changed the file, or it was removed without a copy of its own. */
export type Lost = 'changed' | 'removed';

/** @param entries all of a log, oldest first */
export function openHistory(entries: readonly ActivityEntry[]): ChangeHistory {
  const aliases = restoredVersions(entries);
  const starts = new Map<string, number>();
  const changes: Change[] = [];
  const restored = new Map<string, ContentAt>();
  const restoredFolders = new Map<string, string>();
  const pathOf = new Map<string, string>();
  // Ids of kept content by its path and version, without those that were moved back.
  const kept = new Map<string, string[]>();
  for (const entry of entries) {
    starts.set(entry.id, changes.length);
    const own = entry.changes ?? [];
    for (const change of own) changes.push(change);
    const next = changes.length;
    for (const { path, after, tree } of entry.undoes === undefined ? [] : own) {
      const id = entry.restored
        ? entry.restored.find((each) => pathOf.get(each) === path)
        : after && kept.get(keyOf(path, oldVersion(entry, after)))?.pop();
      if (id === undefined) continue;
      if (after !== undefined) restored.set(id, { path, version: after, next });
      else if (tree !== undefined) restoredFolders.set(id, tree);
    }
    for (const { path, before, trash } of own) {
      if (trash === undefined) continue;
      pathOf.set(trash, path);
      if (before === undefined) continue;
      const key = keyOf(path, before);
      const ids = kept.get(key);
      if (ids) ids.push(trash);
      else kept.set(key, [trash]);
    }
  }
  const isSame = (found: string, recorded: string) =>
    isSameButMoved(found, recorded) || isSameButMoved(found, aliases.latest(recorded));
  return { changes, startOf: (id) => starts.get(id) ?? changes.length, isSame, restored, restoredFolders };
}

/** The version that the content had before it was moved back as a copy. */
function oldVersion({ aliases = {} }: ActivityEntry, after: string): string {
  return Object.entries(aliases).find(([, now]) => now === after)?.[0] ?? after;
}

/** A path and a version without its inode, which a copy to another device changes. */
const keyOf = (path: string, version: string): string => `${version.split('-').slice(0, 2).join('-')} ${path}`;

/** Follows content through the later changes of its file. */
export function followContent(history: ChangeHistory, from: ContentAt): ContentSource | Lost {
  const { changes, isSame, restored } = history;
  let { path, version } = from;
  let length: number | undefined;
  for (let i = from.next; i < changes.length; i++) {
    const later = changes[i] as Change;
    const { kind, before } = later;
    if (kind === 'mkdir' || !isAtOrBelow(path, later.path)) continue;
    if (kind === 'move') {
      path = `${later.to}${path.slice(later.path.length)}`;
      continue;
    }
    if (path !== later.path || kind === 'create') return 'removed';
    if (before === undefined || !isSame(before, version)) return 'changed';
    if (kind === 'append') {
      length ??= later.length;
      version = later.after ?? version;
      continue;
    }
    const back = restored.get(later.trash ?? '');
    if (back === undefined) return { kept: later, path, version, ...(length !== undefined && { length }) };
    ({ path, version } = back);
    i = back.next - 1;
  }
  return { path, version, ...(length !== undefined && { length }) };
}

const isAtOrBelow = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
