import type { Stats } from 'node:fs';
import type { CheckedPath } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import type { Dir } from './dir.ts';
import { type MadeDir, removeMade } from './made-dirs.ts';

/** A place inside the workspace: a directory held open, and one name in it. Close it when done. */
export interface Located {
  readonly path: CheckedPath;
  /** The directory that holds the name. For the workspace itself: the root, with the name `.`. */
  readonly dir: Dir;
  readonly name: string;
  /** Where the path really leads, as components below the root. */
  readonly parts: readonly string[];
  /** The entry at the name when it was located; `undefined` if there was none. Never a link under `follow`. */
  readonly stat: Stats | undefined;
  /** The directory is locked for this call already: see `lock.ts`. */
  readonly isLocked?: true;
  /** A path for `fs` calls on the name. Use O_NOFOLLOW: the name may have become a link since. */
  readonly at: string;
  /** Parent directories made on the way, outermost first. */
  readonly made: readonly MadeDir[];
  /** Removes the parents made on the way again, where they are still empty and still the same: for acts that failed. */
  unmake(): void;
  close(): void;
}

/**
 * The answer for a path whose parent directory does not exist. Where it would lead is known all the same. Not an error:
 * a stack takes longer than the resolution, and a guard asks for such paths all the time.
 */
export class NothingThere {
  readonly path: CheckedPath;
  readonly parts: readonly string[];

  constructor(path: CheckedPath, parts: readonly string[]) {
    this.path = path;
    this.parts = parts;
  }

  /** The error for a caller that needs the directory. */
  refusal(): WorkspaceError {
    return new WorkspaceError('not_found', `File not found: ${this.path.written}`);
  }
}

/** How the last component and missing directories are treated. */
export interface LocateOptions {
  /** `follow` a link in the last place, if it stays inside; `keep` acts on the link itself. */
  readonly leaf?: 'follow' | 'keep';
  /** The place is about to be changed: it must lie on the workspace's own mount and be no mount point. */
  readonly forChange?: boolean;
  /** Make missing parent directories. Implies `forChange`. */
  readonly makeParents?: boolean;
}

/** Keeps the last held directory for the caller and lets go of the rest. */
export function located(
  path: CheckedPath,
  dir: Dir,
  name: string,
  parts: readonly string[],
  stat: Stats | undefined,
  held: Dir[],
  made: readonly MadeDir[] = [],
): Located {
  for (const other of held) if (other !== dir) other.close();
  const keep = held.includes(dir) ? dir : undefined;
  return {
    path,
    dir,
    name,
    parts,
    stat,
    made,
    at: name === '.' ? `${dir.self}/.` : dir.at(name),
    unmake: () => removeMade(path.root, made),
    close: () => keep?.close(),
  };
}

export function closeAll(dirs: readonly Dir[]): void {
  for (const dir of dirs) dir.close();
}
