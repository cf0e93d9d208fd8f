/** A refusal of the server, or the reason why there was no response. The page shows the message unchanged. */
export class ApiError extends Error {
  /** The server's code; `offline` without a response; `bad_answer` if the response is not from this server. */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Seconds to wait, as requested by the server. */
  readonly retryAfterS: number | undefined;
  /** The text of the response, where a route answers more than an error. */
  readonly body: string;

  constructor(code: string, message: string, status: number, retryAfterS?: number, body = '') {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.body = body;
  }
}

/** Options of a request. */
export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  json?: unknown;
  signal?: AbortSignal | undefined;
}

/** The address of an endpoint, below the base path. */
export function apiUrl(path: string, query: Record<string, string | undefined> = {}): string {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Sends a request and parses the JSON response. Throws `ApiError`; an abort throws the error of `fetch`. */
export async function request<T>(url: string, options: RequestOptions = {}): Promise<T> {
  const answer = await send(url, options);
  if (answer.status === 204) return undefined as T;
  const text = await answer.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError('bad_answer', 'This page cannot read the response of Croft. Reload the page.', answer.status);
  }
}

/** Sends a request and returns a successful response unread. Throws like `request`. */
export async function send(url: string, { method = 'GET', json, signal }: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const isRead = method === 'GET' || method === 'HEAD';
  // A page of another site cannot send this header without a preflight, and the server refuses writes without it.
  if (!isRead) headers['X-Croft'] = '1';
  if (!isRead && method !== 'DELETE') headers['Content-Type'] = 'application/json';
  const init: RequestInit = { method, headers, credentials: 'same-origin', signal: signal ?? null };
  if (headers['Content-Type']) init.body = JSON.stringify(json ?? {});
  let answer: Response;
  try {
    answer = await fetch(url, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw offline();
  }
  if (!answer.ok) throw errorOf(answer.status, await answer.text(), answer.headers.get('Retry-After'));
  return answer;
}

/** Whether there was no response. */
export function offline(): ApiError {
  return new ApiError('offline', 'Croft does not answer. Check that it is running, then try again.', 0);
}

/** Whether the same request may succeed later: the server did not answer, is busy or failed. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status === 0 || status >= 500 || status === 429;
}

/** Reads the error of a response: `{error: {code, message}}` of the studio's endpoints, `{code, message}` of the gateway's. */
export function errorOf(status: number, body: string, retryAfter: string | null = null): ApiError {
  const seconds = Number(retryAfter);
  const wait = retryAfter !== null && Number.isFinite(seconds) ? seconds : undefined;
  const { code, message } = readError(body);
  return new ApiError(code ?? `http_${status}`, message ?? fallback(status), status, wait, body);
}

function readError(body: string): { code?: string; message?: string } {
  try {
    const parsed = JSON.parse(body) as { error?: unknown; code?: unknown; message?: unknown };
    const { code, message } = (typeof parsed.error === 'object' && parsed.error ? parsed.error : parsed) as {
      code?: unknown;
      message?: unknown;
    };
    return {
      ...(code === undefined || code === null ? {} : { code: `${code as string}` }),
      ...(typeof message === 'string' && message !== '' ? { message } : {}),
    };
  } catch {
    return {};
  }
}

function fallback(status: number): string {
  if (status === 401) return 'You are signed out. Sign in again.';
  if (status === 403) return 'You are not allowed to do this.';
  if (status === 404) return 'Not found. It may have been moved or deleted.';
  if (status === 413) return 'This is too large for the server.';
  if (status === 429) return 'Too many attempts. Wait a moment, then try again.';
  return `Croft could not do this (${status}). Try again.`;
}
