import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

/** Whether users see the shared files as `shared/` in their own, and whether they may change them. */
export type SharedMode = 'off' | 'read' | 'write';

/** An admin's choice, kept in the base directory beside the files it is about. */
export interface SharedMount {
  mode(): SharedMode;
  set(mode: SharedMode): void;
}

/** Reads the choice each time: the thread of queued runs and workers follow it, too. Not mounted until an admin chooses otherwise. */
export function createSharedMount(baseDir: string): SharedMount {
  const file = fileIn(baseDir);
  return {
    mode: () => readSharedMode(baseDir),
    set(chosen) {
      makeDirs(baseDir);
      // A reader never finds half of it.
      writeFileSync(`${file}.new`, `${JSON.stringify({ mode: chosen })}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

/** The choice of the admin in a base directory. `off` without a choice, or if it cannot be read. */
export function readSharedMode(baseDir: string): SharedMode {
  try {
    const { mode } = JSON.parse(readFileSync(fileIn(baseDir), 'utf8')) as { mode?: unknown };
    return mode === 'read' || mode === 'write' ? mode : 'off';
  } catch {
    // No choice yet, or not readable: an admin chooses again.
    return 'off';
  }
}

const fileIn = (baseDir: string): string => join(baseDir, 'shared-mount.json');
