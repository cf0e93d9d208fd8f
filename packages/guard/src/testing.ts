import { defaultPolicy } from './policy/default-policy.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './policy/policy.ts';

/** A policy for tests: the defaults with some overrides. */
export function testPolicy(overrides: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy(), ...overrides };
}

/** A decision that a call may run. */
export const ALLOW: Decision = { decision: 'allow', reason: 'Inside.', rule: 'allowed', paths: [], accepted: '' };

/** A decision that a call may not run, with an alternative. */
export const BLOCK: Decision = {
  decision: 'block',
  reason: "Path '/etc/x' is outside the project directory",
  rule: 'outside-path',
  paths: [],
  accepted: 'Use a path inside /p.',
};
