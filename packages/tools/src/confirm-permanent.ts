import { WorkspaceError } from '@croft/workspace';
import type { z } from 'zod';
import { questionFor } from './confirm.ts';
import { type AnyTool, type CallContext, ToolError, type ToolResult } from './tool.ts';
import type { WorkspaceSource } from './workspace-source.ts';

/** Whether the tool has the argument `permanent`, which allows changes without undo. */
export function takesPermanent(tool: AnyTool): boolean {
  return (tool.input as z.ZodObject).shape?.permanent !== undefined;
}

/** The hint for a call whose old content the trash cannot keep. */
export function undoHint(error: unknown, tool: AnyTool): string | undefined {
  if (!(error instanceof WorkspaceError) || error.code !== 'not_undoable') return undefined;
  return takesPermanent(tool)
    ? 'Call again with permanent: true to go on without undo; the person is asked.'
    : 'Ask the person to move or delete it.';
}

interface Given {
  readonly path: string;
  readonly permanent?: boolean | undefined;
}

/**
 * Requires the agreement of a person before a call with `permanent` loses content. The call first runs without `permanent`, so the
 * person is asked only if the trash cannot keep the content. The answer applies only to the content at the time of the question.
 * If the client cannot ask the person, the call is refused.
 */
export function confirmPermanent(tool: AnyTool, source: WorkspaceSource): AnyTool {
  return {
    ...tool,
    run(given: Given, context: CallContext): ToolResult | Promise<ToolResult> {
      return given.permanent ? runPermanent(tool, given, context, source) : tool.run(given, context);
    },
  };
}

async function runPermanent(
  tool: AnyTool,
  given: Given,
  context: CallContext,
  source: WorkspaceSource,
): Promise<ToolResult> {
  const { permanent: _, ...kept } = given;
  try {
    return await tool.run(kept, context);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'not_undoable') throw error;
    if (!context.confirm) {
      throw new ToolError(
        'declined',
        `${error.message} A person must agree to that, and this client cannot ask one. Ask the person to do it.`,
      );
    }
    const question = await questionFor(tool.name, kept, source);
    if (!question) throw error;
    const answer = await context.confirm(`${question.text} ${lossOf(error)}`, `${question.token}-permanent`);
    if (answer !== true) throw new ToolError('declined', 'The person declined this change');
    context.signal?.throwIfAborted();
    if ((await questionFor(tool.name, kept, source))?.token !== question.token) {
      throw new ToolError(
        'declined',
        'The file changed while the person was asked, so nothing was done. Look at it again.',
      );
    }
    return tool.run(given, context);
  }
}

function lossOf(error: WorkspaceError): string {
  const { bytes } = error.extra as { bytes?: number };
  const size = bytes === undefined ? 'It' : `It has ${(bytes / 1024 ** 2).toFixed(1)} MiB and`;
  return `${size} cannot be restored afterwards: it is too large for the trash.`;
}
