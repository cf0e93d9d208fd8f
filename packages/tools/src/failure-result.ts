import { errnoOf, WorkspaceError } from '@croft/workspace';
import { echoed } from './fit-result.ts';
import { type AnyTool, ToolError } from './tool.ts';

/** The code of a failure in results and in the log. */
export function codeOf(failure: unknown): string {
  return failure instanceof WorkspaceError || failure instanceof ToolError ? failure.code : 'internal';
}

/** The failure of a cancelled call. */
export function cancelled(): ToolError {
  return new ToolError('cancelled', 'The call was cancelled');
}

/** The envelope of a failure. */
export function toFailure(
  tool: AnyTool | undefined,
  error: unknown,
  input: unknown,
  tell: (error: unknown) => void,
): Readonly<Record<string, unknown>> {
  const hint = tool?.hint?.(error);
  const data = { ...envelope(tool, error, input, tell), ...(hint !== undefined && { hint }) };
  // Messages quote arguments, which may be larger than a result may be.
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? echoed(value) : value]),
  );
}

function envelope(
  tool: AnyTool | undefined,
  error: unknown,
  input: unknown,
  tell: (error: unknown) => void,
): Readonly<Record<string, unknown>> {
  if (error instanceof ToolError) {
    // The contract of the file tools: this failure has no `path`.
    return error.code === 'user_mismatch' ? { error: error.message } : { error: error.message, ...pathOf(input) };
  }
  if (error instanceof WorkspaceError && isOfTheHost(error)) tell(error);
  if (error instanceof WorkspaceError)
    return tool?.failure?.(error, input as never) ?? { error: error.message, ...error.extra, ...pathOf(input) };
  if ((error as { name?: string } | null)?.name === 'AbortError')
    return { error: cancelled().message, ...pathOf(input) };
  tell(error);
  return {
    error: 'The tool failed unexpectedly. Nothing may have been changed; look before trying again.',
    ...pathOf(input),
  };
}

/** Whether only an operator can fix the failure: the disk is full or fails, or the process has too many open files. */
function isOfTheHost(error: WorkspaceError): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'].includes(errnoOf(error.cause) ?? '');
}

function pathOf(input: unknown): { path?: string } {
  const path = (input as { path?: unknown } | null)?.path;
  return typeof path === 'string' ? { path } : {};
}
