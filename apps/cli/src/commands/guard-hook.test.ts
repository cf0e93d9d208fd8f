import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM, runCroft, type Surroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { type GuardedProject, type GuardRun, useGuardedProject } from '../guarded-project.ts';

let surroundings: Surroundings;
let project: string;
let run: GuardedProject['run'];

useGuardedProject((made) => void ({ surroundings, project, run } = made));

const hook = (input: unknown, options?: GuardRun) => run('hook', input, options);

const claude = (tool_name: string, tool_input: unknown, more: object = {}) => ({
  session_id: 's',
  transcript_path: '/t',
  cwd: project,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 'toolu_1',
  ...more,
});
const SILENCE = { code: 0, signal: null, stdout: '', stderr: '' };

async function denial(input: unknown, options: GuardRun = {}): Promise<string> {
  const { code, stdout } = await hook(input, options);
  expect(code).toBe(0);
  const { hookSpecificOutput: said } = JSON.parse(stdout) as {
    hookSpecificOutput: Record<string, string>;
  };
  expect(said).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' });
  return said.permissionDecisionReason as string;
}

describe('croft guard hook', () => {
  it('records the agent of its command line, and the time of its last call', async () => {
    await denial(claude('write_file', { file_path: '/etc/x', content: 'x' }), { args: ['--agent', 'qwen-code'] });
    const dir = join(surroundings.base, 'guard');
    expect(readFileSync(join(dir, 'decisions.1.ndjson'), 'utf8')).toContain('"agent":"qwen-code"');
    expect(readdirSync(dir)).toContain('called-qwen-code');
    expect((await hook(claude('Bash', { command: 'ls' }), { args: ['--agent', 'nobody'] })).code).toBe(2);
  });

  it('prints nothing for an allowed call of Claude Code, so that Claude Code asks its own question', async () => {
    for (const call of [
      claude('Write', { file_path: join(project, 'src/a.ts'), content: 'x' }),
      claude('Edit', { file_path: join(project, 'src/a.ts'), old_string: 'a', new_string: '/etc/x' }),
      claude('Read', { file_path: '/usr/include/stdio.h' }),
      claude('Bash', { command: 'npm test 2>&1 | tail -5', description: 'Run tests' }),
      claude('TodoWrite', { todos: [] }),
    ])
      expect(await hook(call)).toEqual(SILENCE);
  });

  it('denies a write outside, and says which paths are accepted', async () => {
    const reason = await denial(claude('Write', { file_path: join(surroundings.home, '.bashrc'), content: 'x' }));
    expect(reason).toContain('outside the project directory');
    expect(reason).toContain(project);
  });

  it('denies a command that writes outside', async () => {
    expect(await denial(claude('Bash', { command: 'echo x > ../../y' }))).toMatch(/outside/);
  });

  it('records decisions for the page, and answers also if the record cannot be written', async () => {
    const call = claude('Write', { file_path: '/etc/x', content: 'the content' });
    const denied = await hook(call);
    const log = readFileSync(join(surroundings.base, 'guard/decisions.1.ndjson'), 'utf8');
    expect(JSON.parse(log)).toMatchObject({
      wire: 'hook',
      agent: 'claude-code',
      tool: 'Write',
      decision: 'block',
      rule: 'outside-path',
      root: project,
    });
    expect(log).not.toContain('the content');
    rmSync(surroundings.base, { recursive: true });
    writeFileSync(surroundings.base, 'a file where the directory should be');
    expect(await hook(call)).toEqual(denied);
    rmSync(surroundings.base);
  });

  it('resolves relative paths from the working directory of the agent', async () => {
    const inSrc = { cwd: join(project, 'src') };
    expect(await hook(claude('Bash', { command: 'echo x > ../y' }, inSrc))).toEqual(SILENCE);
    await denial(claude('Bash', { command: 'echo x > ../../y' }, inSrc));
    await denial(claude('Bash', { command: 'echo x > y' }, { cwd: '/tmp' }));
    await denial(claude('Write', { file_path: 'y', content: '' }, { cwd: '/tmp' }));
    symlinkSync('project', join(surroundings.home, 'alias'));
    expect(await hook(claude('Bash', { command: 'echo x > y' }, { cwd: join(surroundings.home, 'alias') }))).toEqual(
      SILENCE,
    );
  });

  it("finds the project through the agent's variable, from any directory", async () => {
    const call = claude('Write', { file_path: join(project, 'a'), content: '' });
    const env = { CLAUDE_PROJECT_DIR: project };
    expect(await hook(call, { cwd: '/', env })).toEqual(SILENCE);
    expect(await denial(call, { cwd: '/' })).toMatch(/--root/);
    const unmarked = join(surroundings.home, 'scratch');
    mkdirSync(unmarked);
    const inScratch = claude('Write', { file_path: join(unmarked, 'a'), content: '' }, { cwd: unmarked });
    expect(await hook(inScratch, { cwd: unmarked, env: { CLAUDE_PROJECT_DIR: unmarked } })).toEqual(SILENCE);
    expect(await denial(inScratch, { cwd: unmarked })).toContain('git init');
    await denial(inScratch, { cwd: unmarked, env: { CLAUDE_PROJECT_DIR: surroundings.home } });
  });

  it('answers Codex, Gemini CLI and Cursor in their formats', async () => {
    const patch = '*** Begin Patch\n*** Update File: /etc/hosts\n@@\n-a\n+b\n*** End Patch';
    await denial({ ...claude('apply_patch', { command: patch }), turn_id: 't', model: 'gpt-6' });
    const gemini = { ...claude('write_file', { file_path: '/etc/x', content: '' }), hook_event_name: 'BeforeTool' };
    expect(JSON.parse((await hook(gemini)).stdout)).toMatchObject({ decision: 'deny' });
    expect(await hook({ ...gemini, tool_input: { file_path: 'a' } })).toEqual({ ...SILENCE, stdout: '{}\n' });
    const cursor = { hook_event_name: 'beforeShellExecution', workspace_roots: [project], cwd: project };
    expect(JSON.parse((await hook({ ...cursor, command: 'echo x > /etc/x' })).stdout)).toMatchObject({
      permission: 'deny',
    });
    expect((await hook({ ...cursor, command: 'ls' })).stdout).toBe('{"permission":"allow"}\n');
  });

  it('lets a call pass in a dry run, and reports the decision', async () => {
    const { stderr, ...rest } = await hook(claude('Write', { file_path: '/etc/x' }), { args: ['--dry-run'] });
    expect(rest).toEqual({ code: 0, signal: null, stdout: '' });
    expect(stderr).toMatch(/^croft: dry run: would block Write: /);
  });

  it('passes and says so when it is off', async () => {
    const { stderr, ...rest } = await hook(claude('Write', { file_path: '/etc/x' }), {
      env: { ENABLE_SANDBOXING: '0' },
    });
    expect(rest).toEqual({ code: 0, signal: null, stdout: '' });
    expect(stderr).toContain('the guard is off (ENABLE_SANDBOXING)');
  });

  it("reads the user's configuration with its overrides for the agent", async () => {
    writeFileSync(
      join(surroundings.base, 'croft.config.yaml'),
      'sandboxing: {agents: {claude: {excluded_tools: [Write]}}}\n',
    );
    const env = { CLAUDE_PROJECT_DIR: project };
    const call = claude('Write', { file_path: '/etc/x' });
    expect(await hook(call, { env, cwd: '/' })).toEqual(SILENCE);
    await denial({ ...call, turn_id: 't' });
  });

  it("is not switched off by a project's own file, and says so", async () => {
    writeFileSync(join(project, 'croft.config.yaml'), 'sandboxing: {enabled: false}\n');
    const { stdout, stderr } = await hook(claude('Write', { file_path: '/etc/x' }), {
      env: { CLAUDE_PROJECT_DIR: project },
      cwd: '/',
    });
    expect(stdout).toContain('"permissionDecision":"deny"');
    expect(stderr).toMatch(/croft\.config\.yaml:1:14: sandboxing\.enabled is not obeyed/);
  });

  it('reads the configuration of the root, not of the current directory', async () => {
    writeFileSync(join(project, 'croft.config.yaml'), 'sandboxing: {strict_mode: true}\n');
    await denial(claude('Write', { content: 'x' }), { cwd: join(project, 'src') });
    writeFileSync(join(project, 'src/croft.config.yaml'), 'sandboxing: {enabled: false}\n');
    await denial(claude('Write', { file_path: '/etc/x' }), { cwd: join(project, 'src') });
  });

  it('does not load server code, because it starts before every tool call', async () => {
    const spy = join(surroundings.root, 'spy.cjs');
    writeFileSync(spy, "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')));");
    const call = JSON.stringify(claude('Write', { file_path: join(project, 'a') }));
    const { stderr } = await runCroft(['guard', 'hook'], {
      env: surroundings.env,
      cwd: project,
      input: call,
      nodeArgs: ['-r', spy],
    });
    expect(stderr).toMatch(/^NativeModule fs$/m);
    expect(stderr).not.toMatch(/^NativeModule (?:http|https|crypto|zlib|child_process|worker_threads)$/m);
  });

  it('denies changes of its own configuration', async () => {
    expect(await denial(claude('Write', { file_path: join(project, 'croft.config.yaml') }))).toBeTruthy();
  });
});

describe('a failure of the hook blocks the call with code 2', () => {
  it.each([
    ['no JSON', 'nope'],
    ['nothing', ''],
    ['a key twice', '{"hook_event_name":"PreToolUse","hook_event_name":"x"}'],
    ['an event after a tool call', { hook_event_name: 'PostToolUse' }],
    ['no event', { tool_name: 'Write' }],
  ])('%s', async (_, input) => {
    const { code, stdout, stderr } = await hook(input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/blocked/);
  });

  it.each([
    ['a wrong flag', ['--fly'], "unknown option '--fly'"],
    ['a root that is not there', ['--root', '/nowhere'], 'Not a directory: /nowhere'],
    ['a configuration that is not there', ['--config', '/nowhere.yaml'], '/nowhere.yaml cannot be read'],
  ])('%s', async (_, args, says) => {
    const { code, stdout, stderr } = await hook(claude('Read', { file_path: 'a' }), { args });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('an invalid configuration', async () => {
    writeFileSync(join(project, 'croft.config.yaml'), 'sandboxing:\n  strict_mode: sure\n');
    const { code, stdout, stderr } = await hook(claude('Read', { file_path: 'a' }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('croft.config.yaml:2:16: sandboxing.strict_mode: must be true or false');
  });

  it.skipIf(process.getuid?.() === 0)('a configuration that cannot be read', async () => {
    writeFileSync(join(project, 'croft.config.yaml'), '');
    chmodSync(join(project, 'croft.config.yaml'), 0);
    expect(await hook(claude('Read', { file_path: 'a' }))).toMatchObject({ code: 2, stdout: '' });
  });

  it.skipIf(process.platform !== 'linux').each([['>/dev/full'], ['>&-'], ['>/dev/null'], ['| true']])(
    'an answer that cannot be delivered: %s',
    (target) => {
      const input = JSON.stringify(claude('Write', { file_path: '/etc/x' }));
      // The reader of the pipe has ended before the hook gets the message.
      const script = `(sleep 0.3; cat) | "$0" "$1" guard hook ${target}; exit \${PIPESTATUS[1]}`;
      const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, PROGRAM], {
        env: surroundings.env,
        cwd: project,
        input: `${input}`,
        encoding: 'utf8',
      });
      expect(status).toBe(2);
      expect(stderr).toBe('croft guard: the answer could not be written, so the call is blocked\n');
    },
  );

  it('a working directory that is not absolute', async () => {
    expect(await denial(claude('Write', { file_path: 'a' }, { cwd: 'src' }))).toContain('cwd is not absolute');
  });

  it('denies a malformed message in the format of its agent', async () => {
    expect(await denial(claude('Write', 'text'))).toMatch(/could not be judged/);
  });
});
