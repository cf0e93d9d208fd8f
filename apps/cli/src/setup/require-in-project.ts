import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { UnusableFile } from './replace-file.ts';

/**
 * Refuses a file of a project that a symbolic link leads out of the project: the hook would go into the settings of other
 * projects, or of the user.
 *
 * @param file host path; it and its directories need not exist
 * @throws UnusableFile
 */
export function requireInProject(file: string, project: string): void {
  const real = realPathOf(file);
  const below = relative(realPathOf(project), real);
  if (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)) return;
  throw new UnusableFile(
    `leads out of the project by a symbolic link, to ${real}; replace the link, or run croft setup guard without --project`,
  );
}

/** The real path of a file that may not exist yet. A link to a missing target is not resolved: no file is written through it. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : `${realPathOf(parent)}${path.slice(parent.length)}`;
  }
}
