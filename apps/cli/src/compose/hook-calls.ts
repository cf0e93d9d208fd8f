import { closeSync, futimesSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

/**
 * Environment variable of a hook in a trial by croft itself, whose decisions are not recorded. `hook`: without the agent, so
 * that the call is not recorded either. `agent`: the agent calls its hook.
 */
export const HOOK_TRIAL = 'CROFT_HOOK_TRIAL';

/** Records that an agent has just called its hook. Ignores write errors. */
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
    // The disk is full or read-only. The decision does not depend on the record.
  }
}

/** The time when an agent last called its hook; `undefined` if it never did. */
export function lastHookCall(baseDir: string, agent: string): Date | undefined {
  return statSync(fileOf(baseDir, agent), { throwIfNoEntry: false })?.mtime;
}

function fileOf(baseDir: string, agent: string): string {
  return join(baseDir, 'guard', `called-${agent}`);
}
