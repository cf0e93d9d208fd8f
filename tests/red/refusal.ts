import { makeScratch, type Scratch } from '../../packages/workspace/src/testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../packages/workspace/src/workspace.ts';

/** Opens a workspace on a scratch tree, runs `use` on it, and removes everything. */
export async function withWorkspace(
  tree: readonly string[],
  use: (workspace: Workspace, scratch: Scratch) => unknown,
  options: WorkspaceOptions | ((scratch: Scratch) => WorkspaceOptions) = {},
): Promise<void> {
  const scratch = makeScratch(tree);
  try {
    const workspace = openWorkspace(scratch.workspace, typeof options === 'function' ? options(scratch) : options);
    try {
      await use(workspace, scratch);
    } finally {
      workspace.close();
    }
  } finally {
    scratch.remove();
  }
}

/** The whole text of a file, read through the workspace. */
export async function textOf(workspace: Workspace, path: string): Promise<string> {
  return (await workspace.readText(path)).lines.join('\n');
}
