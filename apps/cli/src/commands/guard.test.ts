import { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { addGuardCommand, addGuardFlags } from './guard.ts';

let output: { out: string; err: string };
beforeEach(() => void (output = captureOutput()));

/** The guard's command without the actions of its subcommands, and what they would get. */
function guardWith() {
  const program = new Command('croft').exitOverride();
  addGuardCommand(program);
  const [guard] = program.commands;
  const got: unknown[] = [];
  for (const each of guard?.commands ?? [])
    each
      .exitOverride()
      .configureOutput({ writeErr: (text) => void (output.err += text) })
      .action((...args: unknown[]) => void got.push(args.slice(0, -1)));
  const parse = async (...args: string[]) => {
    await program.parseAsync(['guard', ...args], { from: 'user' });
    return got.at(-1);
  };
  return { guard: guard as Command, parse };
}
const parse = (...args: string[]) => guardWith().parse(...args);
const refusal = (...args: string[]) =>
  parse(...args).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );

describe('croft guard', () => {
  it('has five subcommands with summaries', () => {
    const { guard } = guardWith();
    expect([guard.summary(), guard.description()]).toEqual([
      "judge agents' tool calls before they run",
      "Judges agents' tool calls before they run, and stops those that would change files outside the project.",
    ]);
    expect(guard.commands.map((each) => `${each.name()}: ${each.summary()}`)).toEqual([
      "serve: judge a model's replies between agents and the model",
      'open: open the decisions page of a running guard',
      'mcp: run an MCP server behind the guard',
      'log: show what the guard decided',
      'check: explain the decision about a call',
      "hook: answer an agent's hook before a tool call",
    ]);
    for (const each of guard.commands) expect(each.description()).toMatch(/^[A-Z].+\.$/);
  });

  it('takes the shared flags, except in its log', async () => {
    const shared = ['--root', '/p', '--strict', '--allow-parent-access', '--config', 'c', '--enable-sandboxing', 'no'];
    const flags = { root: '/p', strict: true, allowParentAccess: true, config: 'c', enableSandboxing: false };
    for (const name of ['serve', 'check', 'hook'])
      expect(await parse(name, ...shared)).toEqual([expect.objectContaining(flags)]);
    expect(await parse('mcp', ...shared)).toEqual([[], expect.objectContaining(flags)]);
    expect(await refusal('log', '--strict')).toContain("unknown option '--strict'");
  });

  it('reads a switch', () => {
    const read = (...args: string[]) =>
      addGuardFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }))
        .parse(['--enable-sandboxing', ...args], { from: 'user' })
        .opts().enableSandboxing as unknown;
    for (const yes of ['true', '1', 'YES', 'on']) expect(read(yes)).toBe(true);
    for (const no of ['false', '0', 'No', 'off']) expect(read(no)).toBe(false);
    expect(read()).toBe(true);
    for (const wrong of ['maybe', 'trues', '10']) expect(() => read(wrong)).toThrow('Give true or false.');
  });
});

describe('croft guard serve', () => {
  it('has defaults', async () => {
    expect(await parse('serve')).toEqual([
      { upstream: [], port: 7861, host: '127.0.0.1', keyRoot: [], allowedHost: [], pass: [] },
    ]);
  });

  it('collects what may be repeated', async () => {
    const args = ['upstream', 'key-root', 'allowed-host', 'pass'].flatMap((name) => [
      `--${name}`,
      'a',
      `--${name}`,
      'b',
    ]);
    expect(await parse('serve', ...args, '--dry-run', '--remote', '--host', 'h', '--roots-below', 'r')).toEqual([
      {
        upstream: ['a', 'b'],
        keyRoot: ['a', 'b'],
        allowedHost: ['a', 'b'],
        pass: ['a', 'b'],
        port: 7861,
        host: 'h',
        dryRun: true,
        remote: true,
        rootsBelow: 'r',
      },
    ]);
  });

  it('takes a port up to 65535', async () => {
    expect(await parse('serve', '--port', '0')).toMatchObject([{ port: 0 }]);
    expect(await parse('serve', '--port', '65535')).toMatchObject([{ port: 65_535 }]);
    for (const wrong of ['65536', '-1', '1.5', 'x', '', '100000', '1e3'])
      expect(await refusal('serve', `--port=${wrong}`)).toContain('Give a number from 0 to 65535.');
  });
});

describe('croft guard mcp, log, check and hook', () => {
  it('takes a server command after --, or an address with headers', async () => {
    expect(await parse('mcp', '--', 'npx', '-y', 'x')).toEqual([['npx', '-y', 'x'], { header: [] }]);
    const args = ['--url', 'u', '--header', 'A: 1', '--header', 'B: 2', '--dry-run', '--agent', 'a'];
    expect(await parse('mcp', ...args)).toEqual([[], { url: 'u', header: ['A: 1', 'B: 2'], dryRun: true, agent: 'a' }]);
    expect(
      guardWith()
        .guard.commands.find((each) => each.name() === 'mcp')
        ?.usage(),
    ).toBe('[options] -- <server command>\n       croft guard mcp [options] --url <url>');
  });

  it('shows fifty decisions unless --limit says otherwise', async () => {
    expect(await parse('log')).toEqual([{ limit: 50 }]);
    const args = ['--follow', '--blocked', '--tool', 't', '--since', '1h', '--limit', '0', '--json'];
    expect(await parse('log', ...args)).toEqual([
      { follow: true, blocked: true, tool: 't', since: '1h', limit: 0, json: true },
    ]);
    expect(await parse('log', '--limit', '999999999')).toEqual([{ limit: 999_999_999 }]);
    for (const wrong of ['x', '-1', '1.5', '1000000000'])
      expect(await refusal('log', `--limit=${wrong}`)).toContain('Give a number.');
  });

  it('takes the flags of a check', async () => {
    const args = ['--remote', '--dry-run', '--lines', '--json', '--reaction', '--agent', 'a', '--model', 'm'];
    expect(await parse('check', ...args)).toEqual([
      { remote: true, dryRun: true, lines: true, json: true, reaction: true, agent: 'a', model: 'm' },
    ]);
  });

  it('takes a hook of a supported agent', async () => {
    for (const agent of ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'])
      expect(await parse('hook', '--agent', agent, '--dry-run')).toEqual([{ agent, dryRun: true }]);
    expect(await refusal('hook', '--agent', 'other')).toContain('Allowed choices are claude-code, codex');
  });

  it('explains agents, addresses and servers in its help', async () => {
    const helpOf = async (name: string) => {
      output.out = '';
      await refusal(name, '--help');
      return output.out;
    };
    expect(await helpOf('hook')).toContain('Qwen Code    PreToolUse (with --agent qwen-code)');
    expect(await helpOf('serve')).toContain('Claude Code, Anthropic  ANTHROPIC_BASE_URL=http://127.0.0.1:7861\n');
    expect(await helpOf('mcp')).toContain('put the guard before the command of the server');
  });
});
