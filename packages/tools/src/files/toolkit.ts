import type { Workspace } from '@croft/workspace';
import { z } from 'zod';
import type { WorkspaceSource } from '../workspace-source.ts';

/**
 * The variant of a file tool. `files`: the fixed contract of docs/contracts/file-tools.md. `full`: the same names, with versions,
 * several edits, previews and paging.
 */
export type Flavour = 'files' | 'full';

/** Parts for the file tools. */
export interface FileToolkit {
  readonly source: WorkspaceSource;
  readonly flavour: Flavour;
}

export const pathArgument = z.string().describe('Path to the file, relative to the workspace root.');
export const versionArgument = z
  .string()
  .optional()
  .describe('Version from an earlier read. The call is refused if the file has changed since.');

export const permanentArgument = z
  .boolean()
  .optional()
  .describe('Go on even if the old content is too large to be kept for undo. The person is asked then.');

/** The workspace of this one call. */
export function workspaceOf(kit: FileToolkit): Workspace {
  return kit.source.acquire();
}
