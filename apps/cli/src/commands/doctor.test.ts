import { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addDoctorCommand } from './doctor.ts';

let home: string;
let output: { out: string; err: string };
const argv = process.argv[1];
beforeEach(() => {
  home = testDir();
  output = captureOutput();
  process.exitCode = undefined;
  // The child process of the trial runs this file in place of croft.
  const trial = join(home, 'trial.cjs');
  writeFileSync(trial, 'process.stdout.write(\'{"active":true,"abi":7}\')');
  process.argv[1] = trial;
  vi.stubEnv('HOME', home);
  vi.stubEnv('CROFT_BASE_DIR', join(home, 'base'));
});
afterEach(() => {
  process.argv[1] = argv as string;
  vi.unstubAllEnvs();
});
const run = (...args: string[]) => {
  const program = new Command('croft').exitOverride();
  addDoctorCommand(program);
  return program.parseAsync(['doctor', ...args], { from: 'user' });
};

describe('croft doctor', () => {
  it('prints the report for people, and ends with code 0 without problems', async () => {
    await run();
    expect(output.out).toMatch(/^Croft .+\n {2}Node /);
    expect(output.out).toContain(`  Path    ${join(home, 'base')}\n`);
    expect(process.exitCode).toBeUndefined();
  });

  it('prints JSON, for a directory and a user, and ends with code 1 for a problem', async () => {
    await run(join(home, 'none'), '--user', 'ann', '--json');
    const report = JSON.parse(output.out) as { ok: boolean; namespace: { mode: string }; problems: { what: string }[] };
    expect(report).toMatchObject({ ok: false, namespace: { mode: 'isolated' } });
    expect(report.problems.map(({ what }) => what).join()).toContain('none cannot be served');
    expect(output.out).toMatch(/^\{\n {2}"/);
    expect(process.exitCode).toBe(1);
  });

  it('tests the second sandbox in the process that the trial starts', async () => {
    // With it, nothing restricts this process.
    vi.stubEnv('UV_USE_IO_URING', '1');
    await run('--second-wall-trial', home);
    expect(JSON.parse(output.out)).toMatchObject({ active: false });
  });

  it('does not show the flag of the trial', () => {
    const program = new Command('croft');
    addDoctorCommand(program);
    const help = program.commands[0]?.helpInformation() ?? '';
    expect(help).toContain('--json');
    expect(help).not.toContain('second-wall-trial');
  });
});
