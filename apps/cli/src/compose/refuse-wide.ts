import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, parse, relative } from 'node:path';
import { UsageError } from '../usage-error.ts';

/**
 * Refuses a directory that a person probably did not mean to give to agents: the root of the disk, the home directory, and those
 * above it. A command that calls this function serves such a directory where `--dir` names it.
 *
 * @param advice what to do instead, as the start of a sentence
 * @throws UsageError
 */
export function refuseWide(dir: string, advice: string, home = process.env.HOME || homedir()): void {
  const root = realPath(dir);
  // A directory that does not exist gets its own message when it is opened.
  if (root === undefined) return;
  const next = `${advice}, or pass --dir ${root}`;
  if (parse(root).root === root) throw new UsageError(`This is ${root}, the whole disk. ${next}`);
  const realHome = realPath(home);
  if (realHome === undefined) return;
  const below = relative(root, realHome);
  if (below === '') throw new UsageError(`This is your home directory. ${next}`);
  if (!below.startsWith('..') && !isAbsolute(below))
    throw new UsageError(`Your home directory is inside ${root}. ${next}`);
}

function realPath(dir: string): string | undefined {
  try {
    return realpathSync.native(dir);
  } catch {
    return undefined;
  }
}
