import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HOOK_CLIENT_IDS, HOOK_CLIENTS, type HookClientId } from '../setup/hook-clients.ts';
import { hookCommand } from '../setup/hook-command.ts';
import { withHook } from '../setup/hook-config.ts';
import { type AgentPlace, findProgram, runAgent } from './run-agent.ts';

const fake = join(import.meta.dirname, '../../../../tests/agents/fake-agent.mjs');
const program = { node: process.execPath, script: PROGRAM, version: '1', platform: process.platform };
const agents = HOOK_CLIENT_IDS.filter((id) => HOOK_CLIENTS[id].run !== undefined);

let surroundings: Surroundings;
let bin: string;

useSurroundings((made) => {
  surroundings = made;
  bin = join(made.root, 'bin');
  mkdirSync(bin);
  for (const id of agents) symlinkSync(fake, join(bin, HOOK_CLIENTS[id].run?.program as string));
});

function writeHook(id: HookClientId, command = hookCommand(program, surroundings.base, id)): void {
  const { dir, file, format } = HOOK_CLIENTS[id];
  const path = join(surroundings.home, dir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, withHook('', command, format));
}

function check(id: HookClientId, mode = '', timeoutMs?: number) {
  const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
  return runAgent(HOOK_CLIENTS[id].run as NonNullable<(typeof HOOK_CLIENTS)[HookClientId]['run']>, {
    agent: id,
    baseDir: surroundings.base,
    env: { ...surroundings.env, PATH, FAKE_AGENT: mode },
    project: undefined,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

describe('one run of an agent with a local model', () => {
  for (const id of agents)
    it(`passes when ${HOOK_CLIENTS[id].title} calls the hook and the hostile call is refused`, async () => {
      writeHook(id);
      expect(await check(id)).toEqual({ kind: 'refused' });
      expect(readdirSync(surroundings.base).filter((name) => name.startsWith('check-'))).toEqual([]);
      expect(readdirSync(join(surroundings.base, 'guard'))).toEqual([`called-${id}`]);
    });

  it('fails when the agent skips its hooks, as Codex does until the user trusts them', async () => {
    writeHook('codex');
    expect(await check('codex', 'no-hooks')).toEqual({ kind: 'ran', calledHook: false });
  });

  it('names only its own file, also if the base directory has a space in its name', async () => {
    const base = join(surroundings.root, 'my base');
    mkdirSync(base);
    const before = readdirSync(surroundings.root);
    const { run } = HOOK_CLIENTS['claude-code'];
    writeHook('claude-code');
    const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { ...surroundings.env, PATH, FAKE_AGENT: 'no-hooks' };
    const place = { agent: 'claude-code', baseDir: base, env, project: undefined };
    expect(await runAgent(run as never, place)).toEqual({ kind: 'ran', calledHook: false });
    expect(readdirSync(surroundings.root)).toEqual(before);
  });

  it('fails when the hook is called but the policy lets the call pass', async () => {
    writeFileSync(join(surroundings.base, 'croft.config.yaml'), 'sandboxing: {mode: dry-run}\n');
    writeHook('claude-code');
    expect(await check('claude-code')).toEqual({ kind: 'ran', calledHook: true });
  });

  it('has no result when the hook was not what refused the call', async () => {
    writeHook('qwen-code');
    expect(await check('qwen-code', 'own-refusal')).toMatchObject({
      kind: 'unknown',
      problem: expect.stringContaining('refused the call without calling the hook') as string,
    });
    expect(await check('qwen-code', 'no-model')).toMatchObject({
      problem: expect.stringMatching(/did not ask the local model .*last line: not signed in/) as string,
    });
  });

  it('kills an agent that does not end, with all its child processes', async () => {
    writeHook('gemini-cli', 'sleep 1000');
    const result = await check('gemini-cli', '', 1_500);
    expect(result).toMatchObject({ problem: expect.stringContaining('did not end within') as string });
  });

  it('says that an agent is not installed', async () => {
    const { run } = HOOK_CLIENTS['claude-code'];
    const place = { agent: 'x', baseDir: surroundings.base, env: { PATH: '/nowhere' }, project: undefined };
    expect(await runAgent(run as never, place)).toEqual({
      kind: 'unknown',
      problem: 'is not installed, or not on the PATH as claude',
    });
  });
});

describe.skipIf(process.platform === 'win32')('a program in place of an agent', () => {
  /** Runs a shell script as the agent, and returns what it has as its last line. */
  async function runScript(script: string, more: Partial<AgentPlace> = {}, files: Record<string, string> = {}) {
    const dir = join(surroundings.root, 'scripts');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'agent'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const result = await runAgent(
      {
        program: 'agent',
        args: (url: string) => ['arg', url],
        env: (url: string) => ({ MODEL: url }),
        files,
        calls: () => [],
      } as never,
      {
        agent: 'x',
        baseDir: surroundings.base,
        project: undefined,
        ...more,
        env: { PATH: `${dir}:${process.env.PATH}`, ...more.env },
      },
    );
    return result.kind === 'unknown' ? result.problem : result.kind;
  }
  const silent = (end: string) => `did not ask the local model (it ${end})`;

  it.each([
    ['exit 0', silent('ended with code 0')],
    ['echo one; echo two >&2; exit 3', silent('ended with code 3; last line: two')],
    ['kill -TERM $$', silent('ended with SIGTERM')],
    ['printf "x%.0s" $(seq 400)', silent(`ended with code 0; last line: ${'x'.repeat(300)}`)],
  ])('that runs %j has this result', async (script, problem) => {
    expect(await runScript(script)).toBe(problem);
  });

  it('gets the address of the model, and no proxy for it', async () => {
    expect(await runScript('test "$2" = "$MODEL" && echo "$1 $NO_PROXY $no_proxy"')).toBe(
      silent('ended with code 0; last line: arg 127.0.0.1 127.0.0.1'),
    );
    for (const name of ['NO_PROXY', 'no_proxy'])
      expect(await runScript('echo "$NO_PROXY $no_proxy"', { env: { [name]: 'a.test' } })).toBe(
        silent('ended with code 0; last line: a.test,127.0.0.1 a.test,127.0.0.1'),
      );
  });

  it('runs in a new project with the files of the agent, or in the project that is checked', async () => {
    expect(await runScript('echo $(cat package.json a/b)', {}, { 'a/b': 'file' })).toBe(
      silent('ended with code 0; last line: {} file'),
    );
    const project = realpathSync(surroundings.workspace);
    expect(await runScript('pwd', { project })).toBe(silent(`ended with code 0; last line: ${project}`));
    expect(readdirSync(surroundings.base).filter((name) => name.startsWith('check-'))).toEqual([]);
  });

  it('is said to have asked, where the model did not see the tool', async () => {
    const ask = `node -e 'fetch(process.env.MODEL + "/v1/messages", { method: "POST", body: "{}" })'`;
    expect(await runScript(ask)).toBe('did not offer its shell to the local model (it ended with code 0)');
  });

  it('could not be started', async () => {
    expect(await runScript('', { project: '/none/here' })).toBe(silent('could not be started: ENOENT'));
  });

  it('could not be checked where a directory for the check cannot be created, and leaves no other one', async () => {
    const temp = join(surroundings.root, 'temp');
    mkdirSync(temp);
    vi.stubEnv('TMPDIR', temp);
    onTestFinished(() => void vi.unstubAllEnvs());
    const baseDir = join(surroundings.root, 'none');
    const problem = `could not be checked (ENOENT: no such file or directory, mkdtemp '${join(baseDir, 'check-XXXXXX')}')`;
    expect(await runScript('', { baseDir })).toBe(problem);
    expect(readdirSync(temp)).toEqual([]);
  });

  it('is the first executable file of its name on the PATH', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => join(surroundings.root, name)) as [
      string,
      string,
      string,
    ];
    for (const dir of [one, two, three]) mkdirSync(dir);
    mkdirSync(join(one, 'tool'));
    writeFileSync(join(two, 'tool'), '', { mode: 0o644 });
    writeFileSync(join(three, 'tool'), '', { mode: 0o755 });
    expect(findProgram('tool', { PATH: `:${one}:${two}:${three}` })).toBe(join(three, 'tool'));
    expect(findProgram('tool', { PATH: `${one}:${two}` })).toBeUndefined();
    expect(findProgram('tool', {})).toBeUndefined();
  });
});
