/** Every refusal of an endpoint. Pinned by a test: clients branch on the status, people read the sentence. */
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

/** A refusal of an endpoint. The message is for the client and contains no internals of the server. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly status: number;
  /** Seconds until a retry makes sense, if known. */
  readonly retryAfterS: number | undefined;

  constructor(code: GatewayErrorCode, message: string, retryAfterS?: number) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
    this.retryAfterS = retryAfterS;
  }
}

/** Statuses above 499 that a host may use: its database restarts, or its disk is full. */
const HOST_FAILURES: readonly number[] = [503, 507];

/** A refusal by the host: its `identify` or its store. The hub passes on status, code, sentence and `Retry-After`. */
export class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | undefined;

  private constructor(status: number, code: string, message: string, retryAfter: string | undefined, cause: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Converts an error with a `status` and a `code`; returns any other error unchanged. */
  static from(error: unknown): unknown {
    if (error instanceof GatewayError) return error;
    const { status, code, message, headers } = error as Partial<Record<'status' | 'code' | 'message', unknown>> & {
      headers?: Readonly<Record<string, string>>;
    };
    if (typeof status !== 'number' || typeof code !== 'string') return error;
    if (!(status >= 400 && status < 500) && !HOST_FAILURES.includes(status)) return error;
    return new HostRefusal(status, code, String(message), headers?.['Retry-After'], error);
  }
}

/** The refusals used in more than one place; the protocol defines the wording of the first four. */
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
