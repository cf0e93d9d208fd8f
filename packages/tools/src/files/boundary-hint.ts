import { WorkspaceError } from '@croft/workspace';

/** What a caller may do instead, where a path led out of the workspace. The refusal itself has fixed words. */
export function boundaryHint(error: unknown): string | undefined {
  if (!(error instanceof WorkspaceError) || !error.message.startsWith('Path escapes')) return undefined;
  return error.code === 'link_outside'
    ? 'A link on this path leads out of the workspace. Use a path that stays inside.'
    : "Paths are relative to the workspace's root, e.g. src/main.ts. Nothing outside it can be reached; list_dir shows what is there.";
}
