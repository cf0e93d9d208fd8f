import type { ObservedCall } from '../../packages/guard/src/decision.ts';

/** Replies of one protocol that carry one tool call, or several. */
export interface WireReplies {
  readonly name: string;
  readonly path: string;
  /** What stands in every reply that holds a call. */
  readonly trace: RegExp;
  /** `undefined` where the wire cannot carry a call. */
  stream(...calls: ObservedCall[]): string | undefined;
  body(...calls: ObservedCall[]): string | undefined;
  readonly plain: { readonly stream: string; readonly body: string };
}

export const WIRES: readonly WireReplies[];
