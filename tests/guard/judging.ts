import type { Decision } from '../../packages/guard/src/decision.ts';
import { createJudge, type Judge, judgeToolCall } from '../../packages/guard/src/judge/judge.ts';
import { openPlace } from '../../packages/guard/src/judge/place.ts';
import type { Policy } from '../../packages/guard/src/policy/policy.ts';
import { testPolicy } from '../../packages/guard/src/testing.ts';
import { makeScratch, type Scratch } from '../../packages/workspace/src/testing.ts';

/** Judges one call in a project. */
export type JudgeIn = (
  name: string,
  args: unknown,
  overrides?: Partial<Policy>,
  more?: { readonly isText?: boolean },
) => Decision;

/** Makes a project of these entries, lets `use` judge calls in it, and removes it again. */
export function inProject(entries: readonly string[], use: (judge: JudgeIn, scratch: Scratch) => void): void {
  const scratch = makeScratch(entries);
  try {
    use(
      (name, args, overrides = {}, more = {}) =>
        judgeToolCall({ name, arguments: args, ...more }, testPolicy(overrides), scratch.workspace),
      scratch,
    );
  } finally {
    scratch.remove();
  }
}

/** The rule that blocks a write to this path in a project with these entries. */
export function ruleFor(path: string, entries: readonly string[] = [], overrides: Partial<Policy> = {}): string {
  let rule = '';
  inProject(entries, (judge) => {
    rule = judge('write_file', { path, content: 'x' }, overrides).rule;
  });
  return rule;
}

/** The judges of both modes for one project. Close them. */
export function openJudges(root: string): Record<'strict' | 'default', Judge> {
  const judgeOf = (strict: boolean) => {
    const policy = testPolicy({ strict });
    return createJudge(policy, openPlace(policy, root));
  };
  return { strict: judgeOf(true), default: judgeOf(false) };
}
