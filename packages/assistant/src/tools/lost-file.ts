import { callTool } from '@croft/tools';
import { namesFile } from '../asked-for.ts';
import type { ToolContext } from './assistant-tool.ts';

/** Errors of a read that show that a write loses nothing: the file does not exist, or the workspace refuses the path. */
const NO_LOSS: ReadonlySet<string> = new Set(['not_found', 'outside', 'link_outside', 'denied', 'invalid']);

/**
 * Whether a write to a path would change a file that the user has and did not name for a change. A file that cannot be read counts: it
 * may be there.
 */
export async function isLoss(
  path: string,
  { turn, named, notes, signal }: Pick<ToolContext, 'turn' | 'named' | 'notes' | 'signal'>,
): Promise<boolean> {
  if (notes.ownFiles.has(path) || namesFile(named, path)) return false;
  if (turn.files === undefined) return true;
  // Without the activity log: the user's file is looked up, and not read for the model.
  const { tools } = turn.files;
  const result = await callTool({ tools }, { name: 'read_file', input: { path, limit: 1 } }, { signal });
  return result.ok || !NO_LOSS.has(result.code ?? '');
}
