/** Why a model call failed. Pinned by a test. */
export type ModelErrorCode =
  | 'unknown_model'
  | 'not_configured'
  | 'authentication'
  | 'rate_limit'
  | 'quota'
  | 'timeout'
  | 'unreachable'
  | 'server_error'
  | 'model_unavailable'
  | 'models_exhausted'
  | 'content_filter'
  | 'bad_request'
  | 'bad_reply'
  | 'cancelled';

/**
 * A failed model call. `message` says what happened and names the provider; `fix` says what to do.
 * Neither contains a key, a request body or a stack, and the error has no `cause` that could.
 */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly fix: string;

  constructor(code: ModelErrorCode, message: string, fix: string) {
    super(message);
    this.name = 'ModelError';
    this.code = code;
    this.fix = fix;
  }
}
