import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { WorkspaceError } from '@croft/workspace';
import { type AnyTool, type CallContext, ToolError, type ToolResult } from './tool.ts';
import type { WorkspaceSource } from './workspace-source.ts';

/** A new key for each process, so tokens of earlier processes are not valid. Made with the first question. */
let key: Buffer | undefined;

/**
 * Asks before every call that would replace or remove existing content. If the client can ask the person, it does. Otherwise the
 * first call returns a preview with a token bound to this call, path and version, and only a second call with that token acts.
 * A change of the file in between invalidates the token.
 */
export function confirmDestructive(tools: readonly AnyTool[], source: WorkspaceSource): readonly AnyTool[] {
  return tools.map((tool) => (tool.annotations.destructiveHint ? withQuestion(tool, source) : tool));
}

function withQuestion(tool: AnyTool, source: WorkspaceSource): AnyTool {
  const input = (tool.input as z.ZodObject).extend({
    confirm_token: z.string().optional().describe('Token of the preview this call confirms.'),
  });
  return {
    ...tool,
    input,
    // A preview does not match the output schema, and clients refuse results that do not match.
    structured: false,
    async run(
      given: { path: string; confirm_token?: string; dry_run?: boolean },
      context: CallContext,
    ): Promise<ToolResult> {
      const { confirm_token, ...bare } = given;
      const question = given.dry_run ? undefined : await questionFor(tool.name, bare, source);
      let asking = context;
      if (question && confirm_token !== undefined) {
        if (!matches(confirm_token, question.token)) {
          throw new ToolError(
            'declined',
            'The token does not fit: the file or the call has changed. Call again without confirm_token for a new preview.',
          );
        }
      } else if (question) {
        const answer = context.confirm ? await context.confirm(question.text, question.token) : 'asked';
        if (answer === 'asked') return preview(question);
        if (!answer) throw new ToolError('declined', 'The person declined this change');
        // Answering takes time: the call may be cancelled by now, and the answer is about the file at the time of the question.
        context.signal?.throwIfAborted();
        if ((await questionFor(tool.name, bare, source))?.token !== question.token) {
          throw new ToolError(
            'declined',
            'The file changed while the person was asked, so nothing was done. Look at it again.',
          );
        }
        // The question included the loss, so the person is not asked again.
        asking = { ...context, confirm: () => Promise.resolve(true) };
      }
      return tool.run(bare as never, asking);
    },
  };
}

/** The question to the person about one call. */
export interface Question {
  readonly text: string;
  readonly token: string;
  readonly path: string;
  readonly version: string;
}

/**
 * Builds the question for a call; `undefined` if no existing content can be lost.
 *
 * @throws WorkspaceError if the current state cannot be read; the call is then refused
 */
export async function questionFor(
  name: string,
  given: { path: string; recursive?: boolean; permanent?: boolean | undefined },
  source: WorkspaceSource,
): Promise<Question | undefined> {
  const isDeletion = name === 'delete_path';
  const there = lookAt(given.path, { itself: isDeletion }, source);
  if (!there) return undefined;
  const { version, type } = there;
  const content = isDeletion && given.recursive === true ? await source.acquire().digest(given.path) : undefined;
  const verb = isDeletion ? `Delete the ${type}` : name === 'edit_file' ? 'Edit' : 'Overwrite';
  key ??= randomBytes(32);
  const token = createHmac('sha256', key)
    .update(JSON.stringify([name, given, version, content]))
    .digest('base64url')
    .slice(0, 32);
  const loss = given.permanent ? ' It may be too large to be restored afterwards.' : '';
  return { text: `${verb} ${given.path}?${loss}`, token, path: given.path, version };
}

/** Reads the state as the call will: a deletion acts on a link itself, not on its target. */
function lookAt(
  path: string,
  options: { itself: boolean },
  source: WorkspaceSource,
): { version: string; type: string } | undefined {
  try {
    return source.acquire().info(path, options);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function matches(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

function preview({ text, token, path, version }: Question): ToolResult {
  return {
    ok: true,
    data: {
      status: 'confirmation_required',
      path,
      version,
      question: text,
      confirm_token: token,
      next: 'Nothing was changed. Ask the person; if they agree, make the same call again with confirm_token.',
    },
  };
}
