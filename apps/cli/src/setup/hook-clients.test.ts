import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { Machine } from './clients.ts';
import { hasHookClient, HOOK_CLIENT_IDS, HOOK_CLIENTS, type HookClientId, hookFile } from './hook-clients.ts';

const linux: Machine = { platform: 'linux', home: '/h', env: {}, cwd: '/work' };
const each = <T>(of: (id: HookClientId) => T) => Object.fromEntries(HOOK_CLIENT_IDS.map((id) => [id, of(id)]));
const run = (id: HookClientId) => HOOK_CLIENTS[id].run;
const PROMPT = 'Reply with the word ok. Use no tool.';
const URL_ = 'http://m';

describe('the configuration files of agents with hooks', () => {
  it('are below the home', () => {
    expect(each((id) => hookFile(id, linux, false))).toEqual({
      'claude-code': '/h/.claude/settings.json',
      codex: '/h/.codex/hooks.json',
      'gemini-cli': '/h/.gemini/settings.json',
      'qwen-code': '/h/.qwen/settings.json',
      cursor: '/h/.cursor/hooks.json',
      opencode: '/h/.config/opencode/plugins/croft-guard.js',
    });
    expect(hookFile('codex', { ...linux, platform: 'win32', home: 'C:\\h' }, false)).toBe('C:\\h\\.codex\\hooks.json');
  });

  it('are below the project for --project', () => {
    expect(each((id) => hookFile(id, linux, true))).toEqual({
      'claude-code': '/work/.claude/settings.json',
      codex: '/work/.codex/hooks.json',
      'gemini-cli': '/work/.gemini/settings.json',
      'qwen-code': '/work/.qwen/settings.json',
      cursor: '/work/.cursor/hooks.json',
      opencode: '/work/.opencode/plugins/croft-guard.js',
    });
    expect(hookFile('cursor', { ...linux, platform: 'win32', cwd: 'D:\\w' }, true)).toBe('D:\\w\\.cursor\\hooks.json');
  });

  it('follow the variable that moves them, unless it is blank', () => {
    const moved = (id: HookClientId, name: string, value: string) =>
      hookFile(id, { ...linux, env: { [name]: value } }, false);
    expect(moved('claude-code', 'CLAUDE_CONFIG_DIR', ' /x ')).toBe('/x/settings.json');
    expect(moved('codex', 'CODEX_HOME', '/x')).toBe('/x/hooks.json');
    expect(moved('gemini-cli', 'GEMINI_CLI_HOME', '/x')).toBe('/x/.gemini/settings.json');
    expect(moved('opencode', 'XDG_CONFIG_HOME', '/x')).toBe('/x/opencode/plugins/croft-guard.js');
    expect(moved('codex', 'CODEX_HOME', ' ')).toBe('/h/.codex/hooks.json');
    expect(moved('qwen-code', 'undefined', '/x')).toBe('/h/.qwen/settings.json');
  });

  it('tell that an agent is installed by its directory', () => {
    const home = testDir();
    const machine: Machine = { ...linux, platform: process.platform, home };
    expect(hasHookClient('cursor', machine)).toBe(false);
    mkdirSync(join(home, '.cursor'));
    expect(hasHookClient('cursor', machine)).toBe(true);
    expect(hasHookClient('codex', machine)).toBe(false);
  });
});

describe('what croft setup guard knows of the agents', () => {
  it('has the event of the hook and the setting that switches hooks off', () => {
    const on = (id: HookClientId) => {
      const { format, off, hasEnv } = HOOK_CLIENTS[id];
      return [format.kind, format.kind === 'file' ? undefined : format.event, off, hasEnv];
    };
    const off = { path: ['disableAllHooks'], value: true };
    expect(each(on)).toEqual({
      'claude-code': ['groups', 'PreToolUse', off, true],
      codex: ['groups', 'PreToolUse', undefined, undefined],
      'gemini-cli': ['groups', 'BeforeTool', { path: ['hooksConfig', 'enabled'], value: false }, undefined],
      'qwen-code': ['groups', 'PreToolUse', off, true],
      cursor: ['list', 'preToolUse', undefined, undefined],
      opencode: ['file', undefined, undefined, undefined],
    });
    expect(HOOK_CLIENTS.cursor.format).toMatchObject({ top: { version: 1 } });
  });

  it('has the message that each agent sends to its hook', () => {
    const common = { session_id: 'croft-setup', cwd: '/p', transcript_path: '', permission_mode: 'default' };
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'croft-setup' };
    const claude = { ...common, hook_event_name: 'PreToolUse', ...call };
    expect(each((id) => HOOK_CLIENTS[id].message('/p', 'ls'))).toEqual({
      'claude-code': claude,
      codex: { ...claude, turn_id: 'croft-setup', model: 'croft-check' },
      'gemini-cli': {
        ...claude,
        tool_name: 'run_shell_command',
        hook_event_name: 'BeforeTool',
        timestamp: '1970-01-01T00:00:00.000Z',
      },
      'qwen-code': { ...claude, tool_name: 'run_shell_command' },
      cursor: {
        conversation_id: 'croft-setup',
        generation_id: 'croft-setup',
        hook_event_name: 'preToolUse',
        workspace_roots: ['/p'],
        tool_name: 'Shell',
        tool_input: { command: 'ls', working_directory: '/p' },
        cwd: '/p',
      },
      opencode: {
        hook_event_name: 'tool.execute.before',
        session_id: 'croft-setup',
        cwd: '/p',
        tool_name: 'bash',
        tool_input: { command: 'ls', description: 'Check of croft setup guard' },
      },
    });
  });

  it('runs each agent against the local model', () => {
    expect(each((id) => [run(id)?.program, run(id)?.args(URL_)])).toEqual({
      'claude-code': [
        'claude',
        ['-p', PROMPT, '--allowedTools', 'Bash', '--settings', '{"env":{"ANTHROPIC_BASE_URL":"http://m"}}'],
      ],
      codex: [
        'codex',
        [
          ...'exec --ephemeral --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox'.split(' '),
          ...'-c model_provider="croft_check" -c'.split(' '),
          'model_providers.croft_check={name="croft check",base_url="http://m/v1",env_key="CROFT_CHECK_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}',
          PROMPT,
        ],
      ],
      'gemini-cli': ['gemini', ['-p', PROMPT, '--yolo']],
      'qwen-code': [
        'qwen',
        ['-p', PROMPT, '--yolo', '--auth-type', 'openai', '--openai-base-url', 'http://m/v1'].concat([
          '--openai-api-key',
          'croft-check',
          '--model',
          'croft-check',
        ]),
      ],
      cursor: [undefined, undefined],
      opencode: ['opencode', ['run', PROMPT]],
    });
  });

  it('gives each agent the address of the local model and no key of the user', () => {
    const { opencode, ...others } = each((id) => run(id)?.env(URL_));
    expect(others).toEqual({
      'claude-code': {
        ANTHROPIC_BASE_URL: URL_,
        ANTHROPIC_API_KEY: 'sk-ant-croft-check',
        CLAUDE_CODE_USE_BEDROCK: '',
        CLAUDE_CODE_USE_VERTEX: '',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      codex: { CROFT_CHECK_KEY: 'sk-croft-check' },
      'gemini-cli': {
        GOOGLE_GEMINI_BASE_URL: URL_,
        GEMINI_API_KEY: 'croft-check',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      'qwen-code': { OPENAI_BASE_URL: `${URL_}/v1`, OPENAI_API_KEY: 'croft-check', OPENAI_MODEL: 'croft-check' },
      cursor: undefined,
    });
    expect(opencode?.['OPENCODE_DISABLE_AUTOUPDATE']).toBe('1');
    expect(JSON.parse(opencode?.['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
      provider: {
        'croft-check': {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: 'http://m/v1', apiKey: 'croft-check' },
          models: { check: {} },
        },
      },
      model: 'croft-check/check',
      small_model: 'croft-check/check',
      permission: { bash: 'allow', external_directory: 'allow' },
    });
    expect(run('gemini-cli')?.files).toEqual({
      '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
    });
  });

  it('has the shell call of each agent, the preferred tool first', () => {
    const description = 'Check of croft setup guard';
    expect(each((id) => run(id)?.calls('a "b"'))).toEqual({
      'claude-code': [{ name: 'Bash', arguments: { command: 'a "b"', description } }],
      codex: [
        { name: 'exec', input: 'text(await tools.exec_command({cmd: "a \\"b\\""}));' },
        { name: 'exec_command', arguments: { cmd: 'a "b"' } },
        { name: 'shell_command', arguments: { command: 'a "b"' } },
        { name: 'shell', arguments: { command: ['sh', '-c', 'a "b"'] } },
      ],
      'gemini-cli': [{ name: 'run_shell_command', arguments: { command: 'a "b"' } }],
      'qwen-code': [{ name: 'run_shell_command', arguments: { command: 'a "b"', is_background: false } }],
      cursor: undefined,
      opencode: [{ name: 'bash', arguments: { command: 'a "b"', description } }],
    });
  });

  it('names each agent and the step after a change', () => {
    expect(each((id) => `${HOOK_CLIENTS[id].title}: ${HOOK_CLIENTS[id].afterwards}`)).toEqual({
      'claude-code': 'Claude Code: start a new session of Claude Code',
      codex:
        'Codex: start codex, enter /hooks and trust the hook: Codex skips it until then, and after every change of it',
      'gemini-cli': 'Gemini CLI: start a new session of Gemini CLI',
      'qwen-code': 'Qwen Code: start a new session of Qwen Code',
      cursor: 'Cursor: start Cursor again, and see under Hooks in its settings that the hook is there',
      opencode: 'opencode: start opencode again',
    });
  });
});
