/** On whose behalf a search runs. */
export interface SearchOwner {
  /** Identity of the searched workspace. */
  readonly workspace: string;
  /** A name within the workspace; callers that give none share one. */
  readonly caller: string;
}

/**
 * A queue that serves owners in turns: workspaces one after another, within a workspace its callers one after another,
 * within a caller in order of arrival. An owner with many entries delays others by one entry a round.
 */
export class Turns<T> {
  /** In the order of their next turns. */
  private readonly workspaces = new Map<string, Map<string, T[]>>();

  add({ workspace, caller }: SearchOwner, entry: T): void {
    const callers = entryOf(this.workspaces, workspace, () => new Map<string, T[]>());
    entryOf(callers, caller, () => []).push(entry);
  }

  /** Takes out an entry before its turn. */
  remove(owner: SearchOwner, entry: T): void {
    const callers = this.workspaces.get(owner.workspace);
    const entries = callers?.get(owner.caller);
    if (!callers || !entries?.includes(entry)) return;
    entries.splice(entries.indexOf(entry), 1);
    this.drop(owner, callers, entries);
  }

  /** Takes out the next entry of an owner for which `mayRun` holds. */
  next(mayRun: (owner: SearchOwner) => boolean): T | undefined {
    for (const [workspace, callers] of this.workspaces) {
      for (const [caller, entries] of callers) {
        const owner = { workspace, caller };
        if (!mayRun(owner)) continue;
        const entry = entries.shift() as T;
        // To the end of both rounds.
        callers.delete(caller);
        callers.set(caller, entries);
        this.workspaces.delete(workspace);
        this.workspaces.set(workspace, callers);
        this.drop(owner, callers, entries);
        return entry;
      }
    }
    return undefined;
  }

  private drop({ workspace, caller }: SearchOwner, callers: Map<string, T[]>, entries: readonly T[]): void {
    if (entries.length === 0) callers.delete(caller);
    if (callers.size === 0) this.workspaces.delete(workspace);
  }
}

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
