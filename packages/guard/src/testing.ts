import { defaultPolicy } from './policy/load-policy.ts';
import type { Policy } from './policy/policy.ts';

/** A policy for tests: the defaults, with what the test is about. */
export function testPolicy(overrides: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy(), ...overrides };
}
