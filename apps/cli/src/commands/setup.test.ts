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

describe('the help of croft setup', () => {
  const program = new Command('croft');
  addSetupCommand(program);
  const [setup] = program.commands as [Command];
  const [guard] = setup.commands as [Command];
  const options = (command: Command) =>
    command.options.map(({ flags, description, defaultValue }) => [flags, description, defaultValue as unknown]);

  it('says what the command does, and what each flag of its own means', () => {
    expect([setup.name(), setup.summary(), setup.usage()]).toEqual([
      'setup',
      'add Croft to your MCP clients',
      '[options] [command] [dir...]',
    ]);
    expect(setup.description()).toBe(
      'Adds Croft to the configuration of your MCP clients (Claude, Cursor, VS Code, Codex, Gemini CLI, Windsurf, Zed, opencode, Cline, Continue, Goose, LM Studio, JetBrains), if they are installed: shows each change, asks, keeps a backup, and tries the connection. Clients start a copy of the program in ~/.croft/programs. The written command gets the flags of croft mcp.',
    );
    expect(options(setup).slice(0, 7)).toEqual([
      [
        '--client <id>',
        'only this client, installed or not: claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, windsurf, zed, opencode, cline, continue, goose, lm-studio, jetbrains (repeatable)',
        [],
      ],
      [
        '--project',
        'write the configuration of the project in the current directory (Claude Code: .mcp.json)',
        undefined,
      ],
      ['--remove', 'remove the entry', undefined],
      ['--yes', 'do not ask', undefined],
      ['--dry-run', 'show what would change, and write nothing', undefined],
      ['--json', 'print the outcome as JSON', undefined],
      ['--name <name>', 'name of the server in the configurations', 'croft'],
    ]);
    expect(setup.registeredArguments[0]?.description).toBe('directories to serve (default: the current one)');
  });

  it('says what the command for the guard does', () => {
    expect([guard.name(), guard.summary()]).toEqual(['guard', "add the guard's hook to your agents"]);
    expect(guard.description()).toBe(
      'Adds croft guard hook to the configuration of Claude Code, Codex, Gemini CLI, Qwen Code, Cursor and opencode, if they are installed, so that the guard judges every tool call before it runs: shows the change, asks, keeps a backup, and checks the hook. Runs each command-line agent once with a model on this machine that requests a write outside of the project; the hook must refuse it.',
    );
    expect(options(guard)).toEqual([
      [
        '--client <id>',
        'only this agent, installed or not: claude-code, codex, gemini-cli, qwen-code, cursor, opencode (repeatable)',
        [],
      ],
      ['--project', 'write the configuration of the project in the current directory instead of your own', undefined],
      ['--remove', 'remove the hook', undefined],
      ['--no-run', 'check only the hook; do not run the agents', undefined],
      ['--yes', 'do not ask', undefined],
      ['--print', 'show what would change, and write nothing', undefined],
      ['--dry-run', 'the same as --print', undefined],
      ['--json', 'print the outcome as JSON', undefined],
    ]);
  });
});
