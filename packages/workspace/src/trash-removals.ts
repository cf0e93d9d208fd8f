import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { errnoOf } from './errors.ts';
import { createPace, type Pace } from './pace.ts';
import { removeQuietly } from './remove-tree.ts';
import { type DirKind, openDir } from './resolve/dir.ts';
import { isAbandoned } from './temp-name.ts';
import { chooseDropped, type TrashBounds, type TrashItem } from './trash-items.ts';

/** Removes items of a trash, one after the other, between the calls of the process. */
export interface Removals {
  /** The items are gone for callers at once, their space follows. */
  remove(names: readonly string[]): void;
  /** Drops what is beyond the bounds, except the newest group and the `spared` one. */
  prune(bounds: TrashBounds, spared: string | undefined): void;
  /** Removes what a killed process left: items it had dropped, and copies it had not finished. */
  sweep(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

const DROPPED = '.dropped-';

export function createRemovals(directory: string, kind: DirKind): Removals {
  let last: Promise<void> = Promise.resolve();
  const then = (act: () => Promise<void>) => {
    last = last.then(act).catch(() => undefined);
  };
  const remove = (names: readonly string[]): void => {
    const hidden = names.filter((name) => hide(directory, name, kind));
    then(() =>
      clear(
        directory,
        hidden.map((name) => DROPPED + name),
        kind,
      ),
    );
  };
  return {
    remove,
    prune(bounds, spared) {
      then(async () => {
        const pace = createPace();
        const dropped = await chooseDropped(directory, bounds, spared, pace);
        await clear(directory, await hideAll(directory, dropped, kind, pace), kind);
      });
    },
    sweep() {
      then(async () => clear(directory, await leftovers(directory), kind));
    },
    async settled() {
      for (let seen: Promise<void> | undefined; seen !== last; ) {
        seen = last;
        await seen;
      }
    },
  };
}

/** @returns the names of what is left to remove */
async function hideAll(
  directory: string,
  items: readonly TrashItem[],
  kind: DirKind,
  pace: Pace,
): Promise<readonly string[]> {
  const hidden: string[] = [];
  for (const [i, { name, group }] of items.entries()) {
    // The items of a group are gone together.
    if (group !== items[i - 1]?.group) await pace.pause();
    if (hide(directory, name, kind)) hidden.push(DROPPED + name);
  }
  return hidden;
}

/**
 * Renames an item, so that it is gone at once. Removes one that leaves nothing to free: a second name of a file, which
 * would count as one until then.
 *
 * @returns whether something is left to remove
 */
function hide(directory: string, name: string, kind: DirKind): boolean {
  return inDirectory(directory, kind, (at) => {
    const stat = lstatSync(at(name));
    const isLeft = stat.isDirectory() || (stat.nlink === 1 && stat.size > 0);
    if (isLeft) renameSync(at(name), at(DROPPED + name));
    else unlinkSync(at(name));
    return isLeft;
  });
}

async function leftovers(directory: string): Promise<readonly string[]> {
  const pace = createPace();
  const names: string[] = [];
  for await (const { name } of await opendir(directory)) {
    await pace.pause();
    if (name.startsWith(DROPPED) || isAbandoned(name, `${directory}/${name}`)) names.push(name);
  }
  return names;
}

async function clear(directory: string, names: readonly string[], kind: DirKind): Promise<void> {
  if (names.length === 0) return;
  const dir = openDir(directory, kind);
  const pace = createPace();
  try {
    for (const name of names) await removeQuietly(dir.at(name), pace);
  } finally {
    dir.close();
  }
}

function inDirectory(directory: string, kind: DirKind, act: (at: (name: string) => string) => boolean): boolean {
  try {
    const dir = openDir(directory, kind);
    try {
      return act(dir.at);
    } finally {
      dir.close();
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
