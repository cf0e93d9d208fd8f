import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type Activity, type FlowRecords, openActivity, reconcile } from '@croft/tools';
import { makeDirs, osReason, type Workspace } from '@croft/workspace';

/** The activity log of a directory in which flows run, for `croft log` and `croft undo`. */
export interface FlowLog {
  /** Where the old versions of changed files go; undefined where nothing can be recorded. */
  readonly trashDir: string | undefined;
  /** Corrects the records of processes that were killed. Call it with the workspace of this log. */
  begins(workspace: Workspace): void;
  /** Where the changes of the flow with this name are recorded. */
  recordsOf(flowName: string): FlowRecords;
  close(): void;
}

/**
 * Opens the log below the base directory. Where it cannot be written, flows run without it, and the first change of a file
 * says so on standard error.
 */
export function openFlowLog(baseDir: string, root: string): FlowLog {
  const activity = openActivity(baseDir, root);
  let unwritable = whyUnwritable(activity);
  return {
    trashDir: unwritable === undefined ? activity.trashDir : undefined,
    begins(workspace) {
      if (unwritable === undefined) reconcile(workspace, activity);
    },
    recordsOf: (flowName) => ({
      begin(path) {
        const actor = { userId: null, via: 'cli', client: null, flow: { name: flowName } } as const;
        if (unwritable === undefined)
          return activity.begin({ tool: 'flow', actor, started: Date.now(), paths: () => [path] });
        if (unwritable !== '')
          process.stderr.write(`croft: activity log and undo are off: cannot write below ${baseDir} (${unwritable})\n`);
        unwritable = '';
        return undefined;
      },
      onError(error) {
        process.stderr.write(`croft: a change of the flow is not in the activity log (${osReason(error)})\n`);
      },
    }),
    close: () => activity.close(),
  };
}

function whyUnwritable({ trashDir }: Activity): string | undefined {
  try {
    makeDirs(trashDir);
    // It may exist already on a disk that is now read-only.
    for (const dir of [trashDir, dirname(trashDir)]) accessSync(dir, constants.W_OK);
    return undefined;
  } catch (error) {
    return osReason(error);
  }
}
