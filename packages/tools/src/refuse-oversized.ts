import { contentTooLarge, DEFAULT_LIMITS, type WorkspaceError } from '@croft/workspace';
import { type AnyTool, ToolError, type ToolResult } from './tool.ts';

/** The most content one call may bring, in UTF-8 bytes. */
export const MAX_CONTENT_BYTES = DEFAULT_LIMITS.maxFileBytes;

/** The refusal of content that was not received, with its size in UTF-8 bytes. */
export function contentNotReceived(bytes: number): WorkspaceError {
  return contentTooLarge(bytes, MAX_CONTENT_BYTES);
}

/**
 * Refuses a call of which some arguments were too large to receive, in the tool's own words where it has them.
 *
 * @param omitted UTF-8 bytes of each of these arguments
 * @throws WorkspaceError `too_large`; ToolError `invalid_arguments`
 */
export function refuseOversized(tool: AnyTool, omitted: Readonly<Record<string, number>>): ToolResult {
  const { content } = omitted;
  if (content !== undefined && tool.tooLarge) return tool.tooLarge(content);
  const sizes = Object.entries(omitted).map(([name, bytes]) => `${name} has ${bytes} bytes`);
  throw new ToolError('invalid_arguments', `The arguments are too large: ${sizes.join(', ')}. Send less at once.`);
}
