import type { Policy } from '../policy/policy.ts';
import { type ConfiguredPolicy, policyFor, type PolicySubject } from '../policy/policy-for.ts';
import { createJudge, type Judge } from './judge.ts';
import { openPlace } from './place.ts';
import { placeFrom } from './place-from.ts';

/** A judge for one project, and its policy. */
export interface OpenJudge {
  readonly judge: Judge;
  readonly policy: Policy;
}

/**
 * Opens the judge for one project root, model and agent. Without a root the judge blocks every call. Relative paths start at
 * `cwd`, the working directory of the agent, else at the root.
 */
export function openJudge(
  policy: ConfiguredPolicy,
  root: string | undefined,
  { agent, model }: PolicySubject = {},
  cwd?: string,
): OpenJudge {
  const own = policyFor(policy, { agent, model, project: root });
  const place = openPlace(own, root);
  return { judge: createJudge(own, cwd === undefined ? place : placeFrom(place, cwd)), policy: own };
}
