export type RunErrorCode =
  | 'unknown_run'
  | 'unknown_question'
  | 'already_answered'
  | 'not_open'
  | 'invalid_request'
  | 'second_worker'
  | 'newer_database'
  | 'unreadable';

/** A refusal of this package. The message says what happened and what to do. */
export class RunError extends Error {
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string) {
    super(message);
    this.name = 'RunError';
    this.code = code;
  }
}
