import { lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Workspace } from '@croft/workspace';
import type { Spot } from './spot.ts';

/** Decides whether a path without links is a new temporary file; undefined if it is not. */
export type NewTemporaries = (real: string) => Spot | undefined;

/** Limit of names that a judge remembers. */
const MAX_REMEMBERED = 1_000;

/**
 * Files that do not exist yet in the system's temporary directory. A file that this judge has seen as new stays new for
 * it, with everything below it, so that `npm test > /tmp/out.txt` can run twice. A guard that is started for each call
 * does not remember. A temporary directory that contains one of the roots does not count, because the neighbours of a
 * project are other projects.
 *
 * Does not guarantee that the file is still new when the agent writes it.
 */
export function newTemporaries(roots: readonly Workspace[]): NewTemporaries {
  const usual = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp'];
  const dirs = [...new Set(usual.flatMap(realPaths))].filter(
    (dir) => !roots.some(({ root }) => root === dir || root.startsWith(`${dir}/`)),
  );
  const seen = new Set<string>();
  return (real) => {
    const dir = dirs.find((one) => real.startsWith(`${one}/`));
    if (dir === undefined) return undefined;
    if (!isRemembered(real, dir, seen)) {
      if (lstatSync(real, { throwIfNoEntry: false }) !== undefined) return undefined;
      if (seen.size < MAX_REMEMBERED) seen.add(real);
    }
    return { kind: 'inside', path: real.slice(dir.length + 1), isRoot: false, isProject: false, further: dir };
  };
}

function isRemembered(real: string, dir: string, seen: ReadonlySet<string>): boolean {
  for (let end = real.length; end > dir.length; end = real.lastIndexOf('/', end - 1))
    if (seen.has(real.slice(0, end))) return true;
  return false;
}

function realPaths(dir: string): readonly string[] {
  try {
    return [realpathSync(dir)];
  } catch {
    return [];
  }
}
