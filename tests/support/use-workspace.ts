import { closeSearchWorkers, openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll } from 'vitest';

/** For tests: a workspace with these entries, as `makeScratch` takes them, for the tests of a file. */
export function useWorkspace(lines: readonly string[] = []): { readonly dir: string; readonly workspace: Workspace } {
  const scratch = makeScratch(lines);
  const workspace = openWorkspace(scratch.workspace);
  afterAll(async () => {
    workspace.close();
    await closeSearchWorkers();
    scratch.remove();
  });
  return { dir: scratch.workspace, workspace };
}
