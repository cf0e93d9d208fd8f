import { lstatSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { errnoOf } from './errors.ts';
import { createPace } from './pace.ts';
import { LARGE_BYTES, removeQuietly } from './remove-tree.ts';
import { type DirKind, openDir } from './resolve/dir.ts';
import { isAbandoned } from './temp-name.ts';
import { chooseDropped, type TrashBounds } from './trash-items.ts';

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
        const dropped = await chooseDropped(directory, bounds, spared, createPace());
        const hidden = dropped.filter(({ name }) => hide(directory, name, kind));
        await clear(
          directory,
          hidden.map(({ name }) => DROPPED + name),
          kind,
        );
      });
    },
    sweep() {
      then(() => clear(directory, leftovers(directory), kind));
    },
    async settled() {
      for (let seen: Promise<void> | undefined; seen !== last; ) {
        seen = last;
        await seen;
      }
    },
  };
}

/** Removes a small item; renames a large one, so that it is gone at once. @returns whether something is left to remove */
function hide(directory: string, name: string, kind: DirKind): boolean {
  return inDirectory(directory, kind, (at) => {
    const stat = lstatSync(at(name));
    const isLarge = stat.isDirectory() || stat.size > LARGE_BYTES;
    if (isLarge) renameSync(at(name), at(DROPPED + name));
    else unlinkSync(at(name));
    return isLarge;
  });
}

function leftovers(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith(DROPPED) || isAbandoned(name, `${directory}/${name}`));
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
