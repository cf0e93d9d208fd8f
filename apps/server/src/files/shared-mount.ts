import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

/** Whether users see the shared files as `shared/` in their own, and whether they may change them. */
export type SharedMode = 'off' | 'read' | 'write';

/** An admin's choice, kept in the base directory beside the files it is about. */
export interface SharedMount {
  mode(): SharedMode;
  set(mode: SharedMode): void;
}

/** Reads the choice once; one process owns a base directory. Not mounted until an admin chooses otherwise. */
export function createSharedMount(baseDir: string): SharedMount {
  const file = join(baseDir, 'shared-mount.json');
  let mode = readMode(file);
  return {
    mode: () => mode,
    set(chosen) {
      makeDirs(baseDir);
      writeFileSync(file, `${JSON.stringify({ mode: chosen })}\n`, { mode: 0o600 });
      mode = chosen;
    },
  };
}

function readMode(file: string): SharedMode {
  try {
    const { mode } = JSON.parse(readFileSync(file, 'utf8')) as { mode?: unknown };
    return mode === 'read' || mode === 'write' ? mode : 'off';
  } catch {
    // Not chosen yet, or not readable any more: then an admin chooses again.
    return 'off';
  }
}
