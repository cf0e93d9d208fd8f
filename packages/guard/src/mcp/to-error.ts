/** An error for people: the underlying reason, without a stack. */
export function toError(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (cause)
    return new Error(`The server cannot be reached: ${(cause as NodeJS.ErrnoException).code ?? cause.message}`);
  return error instanceof Error ? error : new Error(String(error));
}
