import type { PathVerdict, RuleName } from '../decision.ts';

/** Ends the judging of a call with a block. `judge` catches it and returns a decision. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly rule: RuleName;
  readonly paths: readonly PathVerdict[];

  constructor(rule: RuleName, reason: string, paths: readonly PathVerdict[] = []) {
    super(reason);
    this.rule = rule;
    this.paths = paths;
  }
}
