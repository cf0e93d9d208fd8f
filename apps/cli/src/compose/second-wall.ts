import { accessSync, constants } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restrictProcess, type SecondWallStatus, selfTest, makeDirs } from '@croft/workspace';

/** The paths that the process may still open inside the second sandbox (Landlock). */
export interface WallPaths {
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/**
 * Restricts this process with Landlock if the kernel has it. Call it before any file access through the thread pool. Report
 * the sandbox as active only after `verified` resolved: it says whether the self-test passed.
 */
export function raiseSecondWall(paths: WallPaths): {
  readonly status: SecondWallStatus;
  readonly verified: Promise<SecondWallStatus>;
} {
  for (const path of paths.write) makeQuietly(path);
  const canary = findCanary([...paths.write, ...paths.read]);
  const status = restrictProcess(paths);
  if (!status.active) return { status, verified: Promise.resolve(status) };
  if (canary === undefined)
    return { status, verified: Promise.resolve({ active: false, reason: 'no file outside to test it with' }) };
  const verified = selfTest(canary).then(
    (held): SecondWallStatus =>
      held ? status : { active: false, reason: 'the self-test could still read a file outside' },
  );
  return { status, verified };
}

/** The directories that this program is loaded from. Search threads that start later read them. */
export function programDirs(): string[] {
  // The real path of this file: the started file may be a link in a bin directory.
  return [dirname(fileURLToPath(import.meta.url))];
}

/** Finds a readable file outside the allowed directories. */
function findCanary(allowed: readonly string[]): string | undefined {
  const candidates = ['/etc/passwd', '/etc/hostname', '/etc/os-release', '/proc/version', process.execPath];
  return candidates.find((path) => {
    if (allowed.some((dir) => dir === '/' || path === dir || path.startsWith(dir + sep))) return false;
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Creates a directory, because Landlock can allow only existing ones. If that fails, access to it will be refused. */
function makeQuietly(path: string): void {
  try {
    makeDirs(path);
  } catch {
    // The home directory is read-only.
  }
}
