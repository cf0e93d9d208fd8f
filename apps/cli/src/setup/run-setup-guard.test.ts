import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { PROGRAM, runCroft, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { runCroftHere } from '../../../../tests/support/run-croft-here.ts';
import { palette } from '../render/colours.ts';
import { runSetupGuard, type SetupGuardRequest } from './run-setup-guard.ts';

let surroundings: Surroundings;
let project: string;
let settings: string;

useSurroundings((made) => {
  surroundings = made;
  project = join(made.home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  settings = join(made.home, '.claude/settings.json');
});

/** Starts the program. */
const startSetup = (...args: string[]) =>
  runCroft(['setup', 'guard', '--client', 'claude-code', ...args], { cwd: project, env: surroundings.env });

/** Runs the command in this process. */
const here = (...args: string[]) => runCroftHere(['setup', 'guard', ...args], { cwd: project, env: surroundings.env });

interface Person {
  readonly env?: Record<string, string>;
  readonly isTerminal?: boolean;
  readonly ask?: (question: string) => Promise<boolean>;
}

/** Does in this process what the program does with these flags. */
async function setup(flags: Partial<SetupGuardRequest> = {}, { env = surroundings.env, ...person }: Person = {}) {
  let stdout = '';
  const request: SetupGuardRequest = {
    clients: ['claude-code'],
    run: false,
    project: false,
    remove: false,
    yes: false,
    dryRun: false,
    json: false,
    ...flags,
  };
  const isDone = await runSetupGuard(request, {
    machine: { platform: process.platform, home: surroundings.home, env, cwd: project },
    program: { node: process.execPath, script: PROGRAM, version: '9.9.9', platform: process.platform },
    isTerminal: person.isTerminal ?? false,
    paint: palette({}),
    now: new Date('2026-01-31T09:00:00Z'),
    write: (text) => {
      stdout += text;
    },
    ask: person.ask ?? (() => Promise.reject(new Error('setup asked'))),
  });
  return { isDone, stdout };
}
const YES = { yes: true };
const REMOVE = { yes: true, remove: true };
const read = (file = settings) => readFileSync(file, 'utf8');
const commandIn = (file = settings) =>
  (JSON.parse(read(file)) as { hooks: { PreToolUse: { hooks: { command: string }[] }[] } }).hooks.PreToolUse[0]
    ?.hooks[0]?.command as string;

function put(text: string, file = settings): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

/** Runs the written hook, as Claude Code does. */
function runHook(command: string, path: string) {
  const message = {
    session_id: 's',
    transcript_path: '/t',
    cwd: project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path, content: 'x' },
  };
  const env = { ...surroundings.env, CLAUDE_PROJECT_DIR: project };
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    cwd: project,
    env,
    input: JSON.stringify(message),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('croft setup guard', () => {
  it('writes a hook into the settings of Claude Code that judges its calls', async () => {
    const { code, stdout } = await startSetup('--yes');
    expect(stdout).toContain('+    "PreToolUse": [');
    expect(stdout).toContain(
      'only the hook was checked, it refuses a write outside; Claude Code is not installed, or not on the PATH as claude',
    );
    expect(stdout).not.toContain('Running');
    expect(stdout).toContain('Start the agents in a project: where the guard finds none, it blocks every call');
    expect(code).toBe(0);
    expect(JSON.parse(read())).toEqual({
      hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: commandIn() }] }] },
    });
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    // The check itself is not a call of the agent.
    const guardLog = await runCroft(['guard', 'log', '--json'], { cwd: project, env: surroundings.env });
    expect(guardLog).toMatchObject({ code: 0, stdout: '' });
    expect(runHook(commandIn(), join(project, 'a'))).toMatchObject({ status: 0, stdout: '' });
    expect(runHook(commandIn(), '/etc/passwd').stdout).toContain('"permissionDecision":"deny"');
  });

  it('changes nothing the second time, and restores every byte with --remove', async () => {
    const before = '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n';
    put(before);
    expect((await setup(YES)).isDone).toBe(true);
    const after = read();
    const again = await setup(YES);
    expect(again.stdout).toContain('nothing to change');
    expect(read()).toBe(after);
    const backup = readdirSync(join(settings, '..')).find((name) => name.includes('.croft-backup-'));
    expect(read(join(settings, '..', backup as string))).toBe(before);
    expect((await startSetup('--remove', '--yes')).stdout).toContain('removed');
    expect(read()).toBe(before);
    expect((await setup(REMOVE)).stdout).toContain('has no hook of croft guard');
  });

  it.each([
    [
      'on one line',
      '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]}],"Stop":[]}}',
    ],
    [
      'of one group',
      '{\n  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "a" }] }] }\n}',
    ],
    ['without hooks', '{"model": "opus"}\r\n'],
    ['with an empty object', ' { } '],
    ['without text', ''],
  ])('restores settings %s to the byte, and deletes no file of the user', async (_, before) => {
    put(before);
    await setup(YES);
    expect(read()).toContain('guard hook');
    expect((await setup(REMOVE)).isDone).toBe(true);
    expect(read()).toBe(before);
  });

  it('keeps what changed since on --remove, and edits nothing else', async () => {
    put('{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]}]}}');
    await setup(YES);
    put(read().replace('{"hooks"', '{"model":"opus","hooks"'));
    await setup(REMOVE);
    expect(read()).toBe(
      '{"model":"opus","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]}]}}',
    );
  });

  it('restores the original after an update of its hook', async () => {
    put('{"model":"opus"}');
    await setup(YES);
    put(
      read().replace(/"command": ?"[^"]*"/, '"command":"node /old/croft.cjs guard hook --agent claude-code || exit 2"'),
    );
    await setup(YES);
    await setup(REMOVE);
    expect(read()).toBe('{"model":"opus"}');
  });

  it('deletes a file that it created and that holds nothing else', async () => {
    await setup(YES);
    await setup(REMOVE);
    expect(existsSync(settings)).toBe(false);
    await setup(YES);
    put(`${read().slice(0, -2)},\n  "model": "opus"\n}\n`);
    await setup(REMOVE);
    expect(JSON.parse(read())).toEqual({ model: 'opus' });
  });

  it('refuses settings of a project that a symbolic link leads out of it', async () => {
    const elsewhere = join(surroundings.home, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(project, '.claude'));
    for (const flags of [YES, REMOVE]) {
      put('{"model":"opus"}', join(elsewhere, 'settings.json'));
      const { isDone, stdout } = await setup({ ...flags, project: true });
      expect(stdout).toContain(`leads out of the project by a symbolic link, to ${elsewhere}/settings.json`);
      expect(isDone).toBe(false);
      expect(read(join(elsewhere, 'settings.json'))).toBe('{"model":"opus"}');
    }
    expect(readdirSync(elsewhere)).toEqual(['settings.json']);
    mkdirSync(join(project, 'inside'));
    rmSync(join(project, '.claude'));
    symlinkSync('inside', join(project, '.claude'));
    expect((await setup({ ...YES, project: true })).isDone).toBe(true);
    expect(read(join(project, 'inside/settings.json'))).toContain('guard hook');
  });

  it('only shows changes with --print, and refuses to write without --yes and a terminal', async () => {
    const shown = await here('--client', 'claude-code', '--print');
    expect(shown.stdout).toContain('guard hook --agent claude-code || exit 2');
    expect(shown.stdout).toContain('Nothing was written.');
    expect(shown.code).toBe(0);
    const unasked = await here('--client', 'claude-code');
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('Add --yes');
    expect(existsSync(settings)).toBe(false);
  });

  it("writes the project's settings with --project, and those of CLAUDE_CONFIG_DIR", async () => {
    await startSetup('--project', '--yes');
    expect(commandIn(join(project, '.claude/settings.json'))).toContain('guard hook');
    expect(existsSync(settings)).toBe(false);
    const moved = join(surroundings.home, 'moved');
    await setup(YES, { env: { ...surroundings.env, CLAUDE_CONFIG_DIR: moved } });
    expect(commandIn(join(moved, 'settings.json'))).toContain('guard hook');
  });

  it('does not change a file that it cannot parse', async () => {
    for (const text of ['{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"hooks": ']) {
      put(text);
      const { isDone, stdout } = await setup(YES);
      expect(stdout, text).toContain('left alone');
      expect(isDone).toBe(false);
      expect(read()).toBe(text);
    }
  });

  it('reports that a setting switches all hooks off', async () => {
    put('{"disableAllHooks": true}');
    expect((await setup(YES)).stdout).toContain('disableAllHooks switches all hooks off');
  });

  it('refuses flags for servers', async () => {
    const { code, stderr } = await here('--client', 'claude-code', '--yes', '--read-only');
    expect(stderr).toContain('croft setup guard takes no --read-only');
    expect(code).not.toBe(0);
    expect(existsSync(settings)).toBe(false);
  });

  it('asks before it writes', async () => {
    const asked: string[] = [];
    const person = (answer: boolean): Person => ({
      isTerminal: true,
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    });
    const { stdout } = await setup({}, person(false));
    expect(asked).toEqual([`Write this to ${settings}? [y/N] `]);
    expect(stdout).toContain('Not changed.');
    expect(existsSync(settings)).toBe(false);
    await setup({}, person(true));
    expect(existsSync(settings)).toBe(true);
  });

  it('adds the hook to every installed agent, and removes it from each', async () => {
    const files: Record<string, string> = {
      '.claude/settings.json': '{"model": "m"}',
      '.codex/hooks.json': '{"description": "mine"}',
      '.gemini/settings.json': '{\n  // theme\n  "ui": {}\n}\n',
      '.qwen/settings.json': '{}',
      '.cursor/hooks.json': '{"version": 1, "hooks": {"stop": []}}',
    };
    for (const [file, text] of Object.entries(files)) put(text, join(surroundings.home, file));
    const plugin = join(surroundings.home, '.config/opencode/plugins/croft-guard.js');
    mkdirSync(join(surroundings.home, '.config/opencode'), { recursive: true });
    const args = [PROGRAM, 'setup', 'guard', '--yes', '--no-run', '--json'];
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: project,
      env: surroundings.env,
      encoding: 'utf8',
    });
    const { agents, checks } = JSON.parse(stdout) as { agents: { state: string }[]; checks: object[] };
    expect(agents.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'written'));
    expect(checks).toHaveLength(6);
    for (const check of checks) expect(check).toMatchObject({ hook: { ok: true } });
    expect(status).toBe(0);
    expect(read(plugin)).toContain('tool.execute.before');
    await setup({ ...REMOVE, clients: [] });
    for (const [file, text] of Object.entries(files)) expect(read(join(surroundings.home, file)), file).toBe(text);
    expect(existsSync(plugin)).toBe(false);
  });

  it('reports that no agent is installed, and refuses unknown names', async () => {
    expect(await here('--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No agent was found here') as string,
    });
    expect(await here('--yes', '--client', 'emacs')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Not a client: emacs') as string,
    });
  });

  it('fails while Codex does not run the hook, and passes once it does', async () => {
    const bin = join(surroundings.root, 'bin');
    mkdirSync(bin);
    symlinkSync(join(import.meta.dirname, '../../../../tests/agents/fake-agent.mjs'), join(bin, 'codex'));
    const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
    const codex = (mode: string) =>
      runCroft(['setup', 'guard', '--client', 'codex', '--yes'], {
        cwd: project,
        env: { ...surroundings.env, PATH, FAKE_AGENT: mode },
      });
    const untrusted = await codex('no-hooks');
    expect(untrusted.stdout).toContain('not protected, a run of Codex did not call the hook');
    expect(untrusted.stdout).toContain('/hooks');
    expect(untrusted.code).toBe(1);
    const trusted = await codex('');
    expect(trusted.stdout).toContain('checked, a run of Codex called the hook, and a write outside was refused');
    expect(trusted.code).toBe(0);
  });

  it('sets TMPDIR to the private directory if the policy is strict, and removes it again', async () => {
    const base = join(surroundings.base, 'croft.config.yaml');
    put('sandboxing: {strict_mode: true}\n', base);
    const temporary = join(surroundings.base, 'tmp');
    const clients: SetupGuardRequest['clients'] = ['claude-code', 'qwen-code', 'opencode', 'codex'];
    const { stdout } = await setup({ ...YES, clients });
    for (const file of ['.claude/settings.json', '.qwen/settings.json'])
      expect(JSON.parse(read(join(surroundings.home, file)))).toMatchObject({ env: { TMPDIR: temporary } });
    const plugin = join(surroundings.home, '.config/opencode/plugins/croft-guard.js');
    const { CroftGuard } = (await import(`data:text/javascript,${encodeURIComponent(read(plugin))}`)) as {
      CroftGuard: (at: object) => Promise<Record<string, (input: object, output: object) => Promise<void>>>;
    };
    const output = { env: {} };
    await (await CroftGuard({ directory: project }))['shell.env']?.({}, output);
    expect(output.env).toEqual({ TMPDIR: temporary });
    expect(stdout).toContain(`Your policy is strict: start Codex with TMPDIR=${temporary}`);
    await setup({ ...REMOVE, clients });
    for (const file of ['.claude/settings.json', '.qwen/settings.json', '.codex/hooks.json'])
      expect(existsSync(join(surroundings.home, file)), file).toBe(false);
    put('sandboxing: {}\n', base);
    await setup({ ...YES, clients });
    expect(read(join(surroundings.home, '.claude/settings.json'))).not.toContain('TMPDIR');
    expect(read(plugin)).not.toContain('TMPDIR');
  });
});
