import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type Activity, openActivity } from '@croft/tools';
import { makeDirs, osReason } from '@croft/workspace';

/**
 * Opens the log of a directory, and creates the directories of log and trash: the second sandbox can allow only existing ones.
 * If that fails, a line on standard error says so, and the caller goes on without log and undo.
 */
export function prepareActivity(baseDir: string, root: string): Activity | undefined {
  const activity = openActivity(baseDir, root);
  try {
    makeDirs(activity.trashDir);
    // It may exist already on a disk that is now read-only.
    for (const dir of [activity.trashDir, dirname(activity.trashDir)]) accessSync(dir, constants.W_OK);
    return activity;
  } catch (error) {
    process.stderr.write(`croft: activity log and undo are off: cannot write below ${baseDir} (${osReason(error)})\n`);
    return undefined;
  }
}
