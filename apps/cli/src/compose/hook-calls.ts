import { closeSync, futimesSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

/** Set for a hook that croft itself starts to try it: such a call says nothing about the agent. */
export const HOOK_TRIAL = 'CROFT_HOOK_TRIAL';

/** Records that an agent has just called its hook. A record that cannot be written changes nothing. */
export function recordHookCall(baseDir: string, agent: string): void {
  try {
    const file = fileOf(baseDir, agent);
    let fd: number;
    try {
      fd = openSync(file, 'a', 0o600);
    } catch {
      makeDirs(join(baseDir, 'guard'));
      fd = openSync(file, 'a', 0o600);
    }
    const now = new Date();
    futimesSync(fd, now, now);
    closeSync(fd);
  } catch {
    // A full or read-only disk: the decision counts, not the record.
  }
}

/** When an agent last called its hook; `undefined` where it never did. */
export function lastHookCall(baseDir: string, agent: string): Date | undefined {
  return statSync(fileOf(baseDir, agent), { throwIfNoEntry: false })?.mtime;
}

function fileOf(baseDir: string, agent: string): string {
  return join(baseDir, 'guard', `called-${agent}`);
}
