/** One tool call as seen on a wire, before it runs. No part of it is trusted. */
export interface ObservedCall {
  readonly name: string;
  /**
   * The arguments: a string if the wire carries raw text (JSON that may be invalid, or another format), an object if
   * the wire carries one.
   */
  readonly arguments: unknown;
  /** The text is the tool's input itself, not JSON (an OpenAI custom tool call). */
  readonly isText?: boolean;
}

/** The rule of the judge that blocked a call; `allowed` if no rule did. */
export type RuleName =
  | 'allowed'
  | 'outside-path'
  | 'unresolvable-path'
  | 'invalid-path'
  | 'whole-root'
  | 'protected-path'
  | 'denied-read'
  | 'invalid-arguments'
  | 'ambiguous-arguments'
  | 'too-large'
  | 'no-path-found'
  | 'undecidable-command'
  | 'unknown-tool'
  | 'no-project-root'
  | 'failure';

/** One path that a call names, and the judge's verdict on it. */
export interface PathVerdict {
  readonly written: string;
  /**
   * The reading that decided, relative to the root if it is inside. Never contains a host path that the call did not
   * write.
   */
  readonly read_as: string;
  readonly inside: boolean;
}

/** The judge's verdict on a call. */
export interface Decision {
  readonly decision: 'allow' | 'block';
  /** A sentence for the model and for the log. */
  readonly reason: string;
  readonly rule: RuleName;
  readonly paths: readonly PathVerdict[];
  /** The alternative that the guard would accept; empty if the call is allowed. */
  readonly accepted: string;
  /** The judge could not decide this call; the mode decided it. */
  readonly undecidable?: boolean;
}
