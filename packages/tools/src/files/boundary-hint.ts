import { WorkspaceError } from '@croft/workspace';

/** The hint for a path that leads out of the workspace, beside the fixed text of the refusal. */
export function boundaryHint(error: unknown): string | undefined {
  if (!(error instanceof WorkspaceError) || !error.message.startsWith('Path escapes')) return undefined;
  return error.code === 'link_outside'
    ? 'A link on this path leads out of the workspace. Use a path that stays inside.'
    : "Paths are relative to the workspace's root, e.g. src/main.ts. Nothing outside it can be reached; list_dir shows what is there.";
}
