import { contentTooLarge, DEFAULT_LIMITS, type WorkspaceError } from '@croft/workspace';
import { type AnyTool, ToolError, type ToolResult } from './tool.ts';

/** Largest content of one call, in UTF-8 bytes. */
export const MAX_CONTENT_BYTES = DEFAULT_LIMITS.maxFileBytes;

/** The error for content that was too large to receive; `bytes` is its size in UTF-8. */
export function contentNotReceived(bytes: number): WorkspaceError {
  return contentTooLarge(bytes, MAX_CONTENT_BYTES);
}

/**
 * Refuses a call with arguments that were too large to receive. Uses the tool's own error if it has one.
 *
 * @param omitted size of each such argument in UTF-8 bytes
 * @throws WorkspaceError `too_large`; ToolError `invalid_arguments`
 */
export function refuseOversized(tool: AnyTool, omitted: Readonly<Record<string, number>>): ToolResult {
  const { content } = omitted;
  if (content !== undefined && tool.tooLarge) return tool.tooLarge(content);
  const sizes = Object.entries(omitted).map(([name, bytes]) => `${name} has ${bytes} bytes`);
  throw new ToolError('invalid_arguments', `The arguments are too large: ${sizes.join(', ')}. Send less at once.`);
}
