import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addServingFlags } from './serving-flags.ts';
import { addSetupCommand, servingFlagsAsWritten } from './setup.ts';

describe('serving flags for another command', () => {
  const written = (...args: string[]) =>
    servingFlagsAsWritten(addServingFlags(new Command().option('--yes')).parse(args, { from: 'user' }));

  it('are those of the command line, and not defaults', () => {
    expect(written()).toEqual([]);
    expect(written('--yes', '--read-only', '--toolset', 'files')).toEqual(['--read-only', '--toolset', 'files']);
    expect(written('--toolset', 'full')).toEqual(['--toolset', 'full']);
  });

  it('repeat what was repeated, and keep switches that turn something off', () => {
    expect(written('--ignore', 'a', '--no-deny-list', '--ignore', 'b')).toEqual([
      '--ignore',
      'a',
      '--ignore',
      'b',
      '--no-deny-list',
    ]);
    expect(written('--quota-bytes', '2K')).toEqual(['--quota-bytes', '2048']);
  });
});

describe('croft setup', () => {
  let home: string;
  let output: { out: string; err: string };
  beforeEach(() => {
    home = testDir();
    output = captureOutput();
    process.exitCode = 0;
    for (const [name, value] of Object.entries({ HOME: home, CROFT_BASE_DIR: join(home, 'base'), PATH: '/nowhere' }))
      vi.stubEnv(name, value);
  });
  afterEach(() => void vi.unstubAllEnvs());

  const run = (...args: string[]) => {
    const program = new Command('croft').exitOverride();
    addSetupCommand(program);
    return program.parseAsync(['setup', ...args], { from: 'user' });
  };

  it('has the request of its flags, and writes nothing with --dry-run', async () => {
    const dir = testDir();
    const args = ['--client', 'cursor', '--name', 'mine', '--read-only', '--dry-run', '--json'];
    await run(dir, ...args);
    const { clients } = JSON.parse(output.out) as { clients: { client: string; state: string; diff: string }[] };
    expect(clients.map(({ client, state }) => [client, state])).toEqual([['cursor', 'shown']]);
    expect(clients[0]?.diff).toContain('"mine"');
    expect(clients[0]?.diff).toContain('"--read-only"');
    expect(clients[0]?.diff).toContain(dir);
    expect(existsSync(join(home, '.cursor'))).toBe(false);
    expect(existsSync(join(home, 'base'))).toBe(false);
  });

  it('removes an entry', async () => {
    await run('--client', 'cursor', '--remove', '--yes', '--json');
    expect(JSON.parse(output.out)).toMatchObject({ clients: [{ client: 'cursor', state: 'unchanged' }] });
    expect(process.exitCode).toBe(0);
  });

  it('refuses names that it does not know', async () => {
    await expect(run('--client', 'other')).rejects.toThrow(
      /^Not a client: other\. Croft knows claude-code, claude-desktop/,
    );
    await expect(run('guard', '--client', 'vscode')).rejects.toThrow(
      'Not a client: vscode. Croft knows claude-code, codex, gemini-cli, qwen-code, cursor, opencode',
    );
    await expect(run('--name', 'a b')).rejects.toThrow('Not a name for a server: a b');
  });

  it('adds the hook of the guard, which it only shows with --print', async () => {
    for (const flag of ['--print', '--dry-run']) {
      output.out = '';
      await run('guard', '--client', 'cursor', flag, '--json');
      expect(JSON.parse(output.out)).toMatchObject({ agents: [{ client: 'cursor', state: 'shown' }] });
    }
    expect(existsSync(join(home, '.cursor'))).toBe(false);
    await run('guard', '--client', 'cursor', '--print');
    expect(output.out).toContain('preToolUse');
  });

  it('takes no flags of croft setup for the guard', async () => {
    await expect(run('guard', '--read-only')).rejects.toThrow('croft setup guard takes no --read-only');
    await expect(run('guard', '--name', 'x')).rejects.toThrow('croft setup guard takes no --name');
  });
});
