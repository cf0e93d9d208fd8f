import { expect, it } from 'vitest';
import type { SecondWallStatus } from '@croft/workspace';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { UsageError } from '../usage-error.ts';
import { missingProtection, requireProtection, warnOfMissingProtection } from './protection.ts';

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

it('says that a reason is unknown', () => {
  expect(missingProtection('walk', { active: false })).toBe(
    'Reduced protection: Landlock does not restrict the process (unknown reason)',
  );
});

const OFF = { active: false, reason: 'why' } as SecondWallStatus;
const ON = { active: true } as SecondWallStatus;
const MISSING = 'Reduced protection: Landlock does not restrict the process (why)';

it('warns on standard error, and only where protection is missing', () => {
  const output = captureOutput();
  warnOfMissingProtection('openat2', ON);
  expect(output).toEqual({ out: '', err: '' });
  warnOfMissingProtection('openat2', OFF);
  expect(output).toEqual({ out: '', err: `croft: warning: ${MISSING}. Run croft doctor for the reason.\n` });
});

it('refuses to start without protection where that is required', () => {
  expect(() => requireProtection('openat2', ON)).not.toThrow();
  expect(() => requireProtection('openat2', OFF)).toThrow(
    new UsageError(
      `${MISSING}. Refused to start because of --require-sandbox; run croft doctor, or start without that flag`,
    ),
  );
});
