/** Everything a failure says in words: its message, status and the body of the response. For matching, not for showing. */
export function failureText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, statusCode, responseBody, lastError } = partsOf(error);
  if (lastError !== undefined) return failureText(lastError);
  if (typeof message !== 'string' && typeof responseBody !== 'string') return safeJson(error);
  const status = typeof statusCode === 'number' ? ` (status code: ${statusCode})` : '';
  const body =
    typeof responseBody === 'string' ? ` ${responseBody}` : error instanceof Error ? '' : ` ${safeJson(error)}`;
  return `${typeof message === 'string' ? message : ''}${status}${body}`;
}

/** The fields that failures of the SDK, of fetch and of streams may have. */
export interface FailureParts {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  /** Of a request that Croft refused itself: what to do. */
  readonly fix?: unknown;
  readonly cause?: unknown;
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
  /** Of the error after several attempts: the failure of the last one. */
  readonly lastError?: unknown;
}

export const partsOf = (error: unknown): FailureParts =>
  typeof error === 'object' && error !== null ? (error as FailureParts) : {};

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
