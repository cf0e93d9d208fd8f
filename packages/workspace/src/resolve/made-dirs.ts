import { lstatSync, rmdirSync } from 'node:fs';
import { type Dir, openDir, sameFile } from './dir.ts';
import type { Root } from './root.ts';

/** A directory a call made on its way, and which one it was. */
export interface MadeDir {
  /** Components below the root it was resolved from; none of them a link. */
  readonly parts: readonly string[];
  readonly dev: number;
  readonly ino: number;
}

/**
 * Removes directories that a failed call made, innermost first. Each is reached from the root through real
 * directories only, and removed only while it is the very one that was made and empty. Never throws.
 */
export function removeMade(root: Root, made: readonly MadeDir[]): void {
  for (const one of [...made].reverse()) {
    const held: Dir[] = [];
    try {
      let dir = root.dir;
      for (const part of one.parts.slice(0, -1)) {
        dir = openDir(dir.at(part), root.dirKind);
        held.push(dir);
      }
      dir.verify();
      const at = dir.at(one.parts.at(-1) as string);
      if (sameFile(lstatSync(at), one)) rmdirSync(at);
    } catch {
      // Not empty, exchanged or gone: then it is no longer only ours to remove.
    } finally {
      for (const dir of held) dir.close();
    }
  }
}
