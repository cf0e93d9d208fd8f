import { expect, it } from 'vitest';
import { defaultPolicy } from './default-policy.ts';

it('blocks without any configuration, and gives no directory away', () => {
  const policy = defaultPolicy();
  expect(policy).toMatchObject({
    enabled: true,
    mode: 'enforce',
    allowParentAccess: false,
    excludedTools: [],
    allowedRoots: [],
    remote: false,
    strict: false,
  });
  expect(policy.protect.length).toBeGreaterThan(0);
  expect(policy.pathParameterNames.length).toBeGreaterThan(0);
  expect(policy.defaultToolPatterns.some((pattern) => pattern.test('Write_File'))).toBe(true);
});
