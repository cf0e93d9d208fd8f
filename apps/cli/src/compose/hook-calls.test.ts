import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { lastHookCall, recordHookCall } from './hook-calls.ts';

it('knows when each agent called its hook last', () => {
  const base = join(testDir(), 'base');
  expect(lastHookCall(base, 'claude')).toBeUndefined();
  const before = Date.now();
  recordHookCall(base, 'claude');
  recordHookCall(base, 'claude');
  const called = lastHookCall(base, 'claude')?.getTime() ?? 0;
  expect(called).toBeGreaterThanOrEqual(before - 1);
  expect(lastHookCall(base, 'other')).toBeUndefined();
  expect(statSync(join(base, 'guard/called-claude')).mode & 0o777).toBe(0o600);
});

it('does not fail where it cannot be written', () => {
  const file = join(testDir(), 'file');
  writeFileSync(file, '');
  expect(() => recordHookCall(file, 'claude')).not.toThrow();
});
