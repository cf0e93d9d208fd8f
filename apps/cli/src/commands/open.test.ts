import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addOpenCommand } from './open.ts';

afterEach(() => void vi.unstubAllEnvs());

it('asks the running server for a new address', async () => {
  const base = testDir();
  vi.stubEnv('CROFT_BASE_DIR', base);
  const program = new Command('croft').exitOverride();
  addOpenCommand(program);
  const [open] = program.commands;
  expect([open?.name(), open?.summary()]).toEqual(['open', 'open the page of the running server']);
  expect(open?.opts()).toEqual({ open: true });
  await expect(program.parseAsync(['open', '--no-open'], { from: 'user' })).rejects.toThrow(
    `There is no token in ${base}`,
  );
  expect(open?.opts()).toEqual({ open: false });
});
