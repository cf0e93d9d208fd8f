import { afterEach, beforeEach, vi } from 'vitest';

/** Of the process, also while a test has timers of its own. */
const realTimeout = setTimeout;

/** The address of the page in tests. */
export const BASE = 'http://croft.test/base/';

/** An answer that is an error of the server. */
export const refusal =
  (status: number, code: string, message = `The server says ${code}.`) =>
  () =>
    Response.json({ error: { code, message } }, { status });

/**
 * Answers the requests of each test of a file in place of a server. `requests` has them as texts, such as
 * `POST /api/v1/files/mkdir {"path":"a"}`. A request without an answer fails as if the server did not run.
 */
export function useFakeApi() {
  const answers = new Map<string, unknown>();
  const requests: string[] = [];
  const send = async (url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> => {
    signal?.throwIfAborted();
    const path = url.startsWith(BASE) ? url.slice(BASE.length - 1) : url;
    requests.push([method, path, ...(typeof body === 'string' ? [body] : [])].join(' '));
    const key = [`${method} ${path}`, `${method} ${path.replace(/\?.*/, '')}`].find((each) => answers.has(each));
    if (key === undefined) throw new TypeError('fetch failed');
    const answer = answers.get(key);
    const given: unknown = typeof answer === 'function' ? await (answer as () => unknown)() : answer;
    return given instanceof Response ? given : Response.json(given);
  };
  beforeEach(() => {
    answers.clear();
    requests.length = 0;
    vi.stubGlobal('fetch', vi.fn(send));
    // A page of the test has a document of its own.
    if (typeof document === 'undefined') vi.stubGlobal('document', { baseURI: BASE });
  });
  afterEach(() => vi.unstubAllGlobals());
  return {
    requests,
    /** Answers requests such as `GET /api/v1/me`, with or without the query, by JSON, one `Response`, or what a function returns. */
    answer: (route: string, answer: unknown) => void answers.set(route, answer),
  };
}

/** Waits until answers that exist are handed on. */
export const settle = () => new Promise<void>((resolve) => realTimeout(resolve));
