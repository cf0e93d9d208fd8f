import type { GuardConfig, Policy } from '@croft/guard';
import { expect, it } from 'vitest';
import { describeGuard, guardLines } from './guard-statement.ts';

const POLICY = { enabled: true, strict: false, mode: 'enforce', policyFiles: [] } as unknown as Policy;
const config = (more: object = {}) =>
  ({ policy: POLICY, sources: { enabled: { kind: 'default' } }, notices: [], ...more }) as unknown as GuardConfig;
const lines = (of: GuardConfig, policy: Partial<Policy>) =>
  guardLines(describeGuard('/p', of, { ...POLICY, ...policy }));

it('says in which mode the guard is, and where its policy comes from', () => {
  expect(lines(config(), {})).toEqual(['/p', 'enforce, default (policy: no file, the defaults and the environment)']);
  expect(lines(config(), { strict: true, policyFiles: ['/a', '/b'] })).toEqual([
    '/p',
    'enforce, strict (policy: /a, /b)',
  ]);
});

it('warns where calls pass, and about settings that it ignores', () => {
  expect(lines(config({ notices: ['x is not obeyed'] }), { mode: 'dry-run' })).toEqual([
    '/p',
    'dry-run, default (policy: no file, the defaults and the environment)',
    'WARNING: The guard is in dry-run mode: every call passes, blocked calls are only recorded.',
    'WARNING: x is not obeyed',
  ]);
});

it.each([
  [{ kind: 'file', path: '/c.yaml', line: 3 }, '/c.yaml:3'],
  [{ kind: 'env', name: 'ENABLE_SANDBOXING' }, 'ENABLE_SANDBOXING'],
  [{ kind: 'default' }, 'the configuration'],
])('says which setting turned the guard off: %j', (enabled, by) => {
  const off = { ...POLICY, enabled: false };
  const statement = describeGuard('/p', config({ policy: off, sources: { enabled } }), off);
  expect([statement.mode, statement.warnings]).toEqual(['off', [`The guard is off (${by}): every call passes.`]]);
  expect(guardLines(statement)[1]).toMatch(/^off \(policy:/);
  // Only an override for the project turned it off.
  expect(describeGuard('/p', config(), off).warnings[0]).toContain('of this project, model or agent');
});
