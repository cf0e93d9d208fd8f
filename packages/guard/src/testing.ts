import { defaultPolicy } from './policy/default-policy.ts';
import type { Policy } from './policy/policy.ts';

/** A policy for tests: the defaults with some overrides. */
export function testPolicy(overrides: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy(), ...overrides };
}
