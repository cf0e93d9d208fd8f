/**
 * A refusal as the API gives it: a status, a code programs branch on, and a sentence that says what to do. Never a host
 * path, never a stack.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  /** @param cause for the log; answers do not show it */
  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The refusal of an anonymous request. */
export function notSignedIn(): Problem {
  return new Problem(
    401,
    'not_signed_in',
    'This request has no session and no valid API key. Sign in, or send a key as a bearer token.',
    {
      'WWW-Authenticate': 'Bearer',
    },
  );
}

/** The refusal of an API key, where only a session will do. */
export const forPeopleOnly = (): Problem =>
  new Problem(403, 'forbidden', 'An API key cannot do this. Sign in with a browser.');

/** Use the same text whether a thing is missing or belongs to another user, so that responses do not reveal which. */
export function notFound(what = 'There is nothing at this address.'): Problem {
  return new Problem(404, 'not_found', what);
}

/** The refusal of a request without a route. @param methods those that have one for this address */
export function noRoute(methods: readonly string[]): Problem {
  if (methods.length === 0) return notFound();
  return new Problem(405, 'method_not_allowed', `This address takes ${methods.join(', ')}.`, {
    Allow: methods.join(', '),
  });
}

/** The body of every JSON error. */
export function problemBody({ code, message }: Problem): { error: { code: string; message: string } } {
  return { error: { code, message } };
}
