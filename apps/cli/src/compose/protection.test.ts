import { expect, it } from 'vitest';
import { missingProtection } from './protection.ts';

it.each([
  ['openat2', { active: true }, undefined],
  ['walk', { active: true }, undefined],
  ['portable', { active: true }, 'Reduced protection: the path resolver is not race-free on this system'],
  ['walk', { active: false, reason: 'why' }, 'Reduced protection: Landlock does not restrict the process (why)'],
  [
    'portable',
    { active: false, reason: 'why' },
    'Reduced protection: the path resolver is not race-free on this system; Landlock does not restrict the process (why)',
  ],
])('says what is missing with resolver %s and Landlock %j', (resolver, wall, said) => {
  expect(missingProtection(resolver, wall)).toBe(said);
});
