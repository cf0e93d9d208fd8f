import { makeScratch } from '@croft/workspace/testing';
import type { Policy } from '../policy/policy.ts';
import { testPolicy } from '../testing.ts';
import { BareRepositories } from './bare-repository.ts';
import { hintSet } from './extract/argument-keys.ts';
import type { JudgeContext } from './judge-own-paths.ts';
import type { Part } from './part.ts';
import { openPlace } from './place.ts';
import { pathRules } from './protect.ts';
import { readRules } from './read-rules.ts';
import { toolName } from './tool-kind.ts';

/** For tests: the context of a judge in a scratch workspace with these entries. */
export function scratchContext(lines: readonly string[], overrides: Partial<Policy> = {}) {
  const scratch = makeScratch(lines);
  const policy = testPolicy(overrides);
  const place = openPlace(policy, scratch.workspace);
  const context: JudgeContext = {
    policy,
    place,
    protect: { ...pathRules(policy.protect), repositories: new BareRepositories(place) },
    denyRead: readRules(policy.denyRead),
    hints: hintSet([]),
    nameOf: (name) => toolName(name, policy),
  };
  const remove = (): void => {
    place.close();
    scratch.remove();
  };
  return { context, scratch, remove };
}

/** For tests: the outcome of a part, with its rule. */
export const outcomeOf = (part: Part): string => ('rule' in part ? `${part.outcome} ${part.rule}` : part.outcome);
