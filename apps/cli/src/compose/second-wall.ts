import { accessSync, constants } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restrictProcess, type SecondWallStatus, selfTest, makeDirs } from '@croft/workspace';

/** What the process may still touch behind the second wall. */
export interface WallPaths {
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/**
 * Restricts this process with Landlock where the kernel has it. Must run before anything touches a file through the
 * thread pool. The promise tells whether the self-test held: only then is the wall claimed.
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

/** Directories this program itself is read from, for search threads that start later. */
export function programDirs(): string[] {
  // The real place of this file: what was started may be a link to it in some bin directory.
  return [dirname(fileURLToPath(import.meta.url))];
}

/** A readable file that lies in none of the allowed directories. */
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

/** Only what exists can be allowed; what cannot be made is left out and will be refused. */
function makeQuietly(path: string): void {
  try {
    makeDirs(path);
  } catch {
    // A read-only home.
  }
}
