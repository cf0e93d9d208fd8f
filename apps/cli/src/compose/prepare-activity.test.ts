import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { prepareActivity } from './prepare-activity.ts';

it('makes the directories of log and trash', () => {
  const output = captureOutput();
  const base = join(testDir(), 'base');
  const activity = prepareActivity(base, '/work');
  expect(activity?.trashDir.startsWith(join(base, 'activity'))).toBe(true);
  expect(existsSync(activity?.trashDir ?? '')).toBe(true);
  expect(output.err).toBe('');
});

it('goes on without them, and says so, where they cannot be made', () => {
  const output = captureOutput();
  const base = join(testDir(), 'base');
  writeFileSync(base, '');
  expect(prepareActivity(base, '/work')).toBeUndefined();
  expect(output.err).toMatch(
    new RegExp(`^croft: activity log and undo are off: cannot write below ${base} \\(.+\\)\\n$`),
  );
});
