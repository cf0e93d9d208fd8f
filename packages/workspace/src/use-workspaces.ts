import { join } from 'node:path';
import { afterEach } from 'vitest';
import { makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/** A workspace on a scratch tree. */
export interface ScratchWorkspace {
  readonly workspace: Workspace;
  readonly scratch: Scratch;
  /** The host path of a name in the workspace. */
  at(name: string): string;
}

/** Opens workspaces on trees of {@link makeScratch}; closes and removes them after each test. */
export function useWorkspaces() {
  const opened: ScratchWorkspace[] = [];
  afterEach(() => {
    for (const { workspace, scratch } of opened.splice(0)) {
      workspace.close();
      scratch.remove();
    }
  });
  return (
    lines: readonly string[] = [],
    options: WorkspaceOptions | ((scratch: Scratch) => WorkspaceOptions) = {},
  ): ScratchWorkspace => {
    const scratch = makeScratch(lines);
    const workspace = openWorkspace(scratch.workspace, typeof options === 'function' ? options(scratch) : options);
    const made = { workspace, scratch, at: (name: string) => join(scratch.workspace, name) };
    opened.push(made);
    return made;
  };
}
