import { join } from 'node:path';
import { type Activity, fixedWorkspace, makeToolset, openActivity } from '@croft/tools';
import { type Call, checkedCall } from '../../packages/tools/src/testing.ts';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach } from 'vitest';
import { testDir } from './temp-dir.ts';

/** A workspace with an activity log for each test of a file. Removes both after the test. */
export function useActivity() {
  let scratch: Scratch;
  let workspace: Workspace;
  let activity: Activity;
  afterEach(() => {
    workspace.close();
    activity.close();
    scratch.remove();
  });
  return {
    get workspace(): Workspace {
      return workspace;
    },
    get activity(): Activity {
      return activity;
    },
    /** The host path of an entry. */
    at: (name: string): string => join(scratch.workspace, name),
    /** Opens a workspace with these entries. Returns a function that calls its tools. */
    open(lines: readonly string[]): Call {
      scratch = makeScratch(lines);
      const base = testDir();
      activity = openActivity(base, scratch.workspace);
      workspace = openWorkspace(scratch.workspace, { trashDir: activity.trashDir });
      return checkedCall({ tools: makeToolset('full', fixedWorkspace(workspace)), activity }, [scratch.base, base]);
    },
  };
}
