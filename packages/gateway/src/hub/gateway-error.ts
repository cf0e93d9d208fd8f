/** Every way an endpoint refuses. Pinned by a test: clients branch on the status, people read the sentence. */
export type GatewayErrorCode =
  | 'missing_key'
  | 'invalid_key'
  | 'expired_key'
  | 'not_initialized'
  | 'not_signed_in'
  | 'request_gone'
  | 'bad_request'
  | 'bad_method'
  | 'bad_content_type'
  | 'too_large'
  | 'too_many'
  | 'too_often'
  | 'closing'
  | 'internal';

const STATUS: Readonly<Record<GatewayErrorCode, number>> = {
  missing_key: 403,
  invalid_key: 403,
  expired_key: 403,
  not_initialized: 403,
  not_signed_in: 401,
  request_gone: 404,
  bad_request: 400,
  bad_method: 405,
  bad_content_type: 415,
  too_large: 413,
  too_many: 429,
  too_often: 429,
  closing: 503,
  internal: 500,
};

/** A refusal of an endpoint. Its message is for the client and says nothing of the server's inside. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly status: number;
  /** When to come back, where that is known. */
  readonly retryAfterS: number | undefined;

  constructor(code: GatewayErrorCode, message: string, retryAfterS?: number) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
    this.retryAfterS = retryAfterS;
  }
}

/** A refusal by whoever tells who a page's user is: its status, code and sentence are passed on as they are. */
export class IdentityRefusal extends Error {
  override readonly name = 'IdentityRefusal';
  readonly status: number;
  readonly code: string;

  private constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The refusal an error is meant as, by its `status` below 500 and its `code`; any other error as it is. */
  static from(error: unknown): unknown {
    const { status, code, message } = error as { status?: unknown; code?: unknown; message?: unknown };
    return typeof status === 'number' && status >= 400 && status < 500 && typeof code === 'string'
      ? new IdentityRefusal(status, code, String(message))
      : error;
  }
}

/** The refusals that stand in more than one place; the wording of the first four is the protocol's. */
export const REFUSALS = {
  missingKey: () => new GatewayError('missing_key', 'Missing API key'),
  invalidKey: () => new GatewayError('invalid_key', 'Invalid API key'),
  notInitialized: () => new GatewayError('not_initialized', 'Local gateway not initialized'),
  requestGone: () => new GatewayError('request_gone', 'Gateway request not found or already resolved'),
  expiredToken: () =>
    new GatewayError('expired_key', 'Pairing token expired. Create a new link and run the command it shows'),
  expiredKey: () => new GatewayError('expired_key', 'Session expired. Create a new link and run the command it shows'),
  notSignedIn: () => new GatewayError('not_signed_in', 'Sign in first'),
  badMethod: (method: string) => new GatewayError('bad_method', `Use ${method} here`),
  closing: () => new GatewayError('closing', 'The server is closing. Connect again in a moment'),
} as const;
