/** One tool call as it was seen on a wire, before anybody ran it. Nothing in it is trusted. */
export interface ObservedCall {
  readonly name: string;
  /**
   * The arguments: a string when the raw text is what travelled (JSON that may be broken, or no JSON at all), an object
   * where the wire carries one.
   */
  readonly arguments: unknown;
  /** The text is the tool's input itself and no JSON (an OpenAI custom tool call). */
  readonly isText?: boolean;
}

/** What stopped a call. One name a rule of the judge; `allowed` when none did. */
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

/** One path a call names, and what was made of it. */
export interface PathVerdict {
  readonly written: string;
  /** The reading that decided, relative to the root where it lies inside; never a host path outside what was written. */
  readonly read_as: string;
  readonly inside: boolean;
}

/** What is to become of a call. */
export interface Decision {
  readonly decision: 'allow' | 'block';
  /** A sentence for the model and for the log. */
  readonly reason: string;
  readonly rule: RuleName;
  readonly paths: readonly PathVerdict[];
  /** What would be accepted instead; empty when nothing was blocked. */
  readonly accepted: string;
  /** It could not be decided; the mode decided it. */
  readonly undecidable?: boolean;
}
