import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Machine } from './clients.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import type { HookClient } from './hook-client.ts';

/** The agents whose hook `croft setup guard` writes, with their names in policies (`agents:`). */
export const HOOK_CLIENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cursor', 'opencode'] as const;
export type HookClientId = (typeof HOOK_CLIENT_IDS)[number];

/** Harmless, in case a run reaches the user's own model in spite of the settings. */
const PROMPT = 'Reply with the word ok. Use no tool.';

/**
 * Paths and formats, from the documentation of the agents: code.claude.com/docs/en/hooks, developers.openai.com/codex/hooks,
 * geminicli.com/docs/hooks, qwenlm.github.io/qwen-code-docs (hooks), cursor.com/docs/agent/hooks, opencode.ai/docs/plugins.
 * `npm run agents` runs the command-line agents with them.
 */
export const HOOK_CLIENTS: Readonly<Record<HookClientId, HookClient>> = {
  'claude-code': {
    title: 'Claude Code',
    dir: '.claude',
    movedBy: 'CLAUDE_CONFIG_DIR',
    file: 'settings.json',
    project: '.claude/settings.json',
    hasEnv: true,
    format: { kind: 'groups', event: 'PreToolUse' },
    off: { path: ['disableAllHooks'], value: true },
    message: (cwd, command) => preToolUse(cwd, 'Bash', command),
    run: {
      program: 'claude',
      // `--settings` overrides `env` in the user's own settings.
      args: (url) => [
        '-p',
        PROMPT,
        '--allowedTools',
        'Bash',
        '--settings',
        JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } }),
      ],
      env: (url) => ({
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'sk-ant-croft-check',
        CLAUDE_CODE_USE_BEDROCK: '',
        CLAUDE_CODE_USE_VERTEX: '',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      }),
      calls: (command) => [{ name: 'Bash', arguments: { command, description: 'Check of croft setup guard' } }],
    },
    afterwards: 'start a new session of Claude Code',
  },
  codex: {
    title: 'Codex',
    dir: '.codex',
    movedBy: 'CODEX_HOME',
    file: 'hooks.json',
    project: '.codex/hooks.json',
    format: { kind: 'groups', event: 'PreToolUse' },
    message: (cwd, command) => ({ ...preToolUse(cwd, 'Bash', command), turn_id: 'croft-setup', model: 'croft-check' }),
    run: {
      program: 'codex',
      args: (url) => [
        'exec',
        '--ephemeral',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '-c',
        'model_provider="croft_check"',
        '-c',
        `model_providers.croft_check={name="croft check",base_url="${url}/v1",env_key="CROFT_CHECK_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
        PROMPT,
      ],
      env: () => ({ CROFT_CHECK_KEY: 'sk-croft-check' }),
      calls: (command) => [
        { name: 'exec', input: `text(await tools.exec_command({cmd: ${JSON.stringify(command)}}));` },
        { name: 'exec_command', arguments: { cmd: command } },
        { name: 'shell_command', arguments: { command } },
        { name: 'shell', arguments: { command: ['sh', '-c', command] } },
      ],
    },
    afterwards: 'start codex, enter /hooks and trust the hook: Codex skips it until then, and after every change of it',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    dir: '.gemini',
    movedBy: 'GEMINI_CLI_HOME',
    movedPart: '.gemini',
    file: 'settings.json',
    project: '.gemini/settings.json',
    format: { kind: 'groups', event: 'BeforeTool' },
    off: { path: ['hooksConfig', 'enabled'], value: false },
    message: (cwd, command) => ({
      ...preToolUse(cwd, 'run_shell_command', command),
      hook_event_name: 'BeforeTool',
      timestamp: new Date(0).toISOString(),
    }),
    run: {
      program: 'gemini',
      args: () => ['-p', PROMPT, '--yolo'],
      env: (url) => ({
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: 'croft-check',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      }),
      // With the sign-in of an account, Gemini CLI would use the provider's address.
      files: { '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
      calls: (command) => [{ name: 'run_shell_command', arguments: { command } }],
    },
    afterwards: 'start a new session of Gemini CLI',
  },
  'qwen-code': {
    title: 'Qwen Code',
    dir: '.qwen',
    file: 'settings.json',
    project: '.qwen/settings.json',
    hasEnv: true,
    format: { kind: 'groups', event: 'PreToolUse' },
    off: { path: ['disableAllHooks'], value: true },
    message: (cwd, command) => preToolUse(cwd, 'run_shell_command', command),
    run: {
      program: 'qwen',
      args: (url) => [
        '-p',
        PROMPT,
        '--yolo',
        '--auth-type',
        'openai',
        '--openai-base-url',
        `${url}/v1`,
        '--openai-api-key',
        'croft-check',
        '--model',
        'croft-check',
      ],
      env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'croft-check', OPENAI_MODEL: 'croft-check' }),
      calls: (command) => [{ name: 'run_shell_command', arguments: { command, is_background: false } }],
    },
    afterwards: 'start a new session of Qwen Code',
  },
  cursor: {
    title: 'Cursor',
    dir: '.cursor',
    file: 'hooks.json',
    project: '.cursor/hooks.json',
    format: { kind: 'list', event: 'preToolUse', top: { version: 1 } },
    message: (cwd, command) => ({
      conversation_id: 'croft-setup',
      generation_id: 'croft-setup',
      hook_event_name: 'preToolUse',
      workspace_roots: [cwd],
      tool_name: 'Shell',
      tool_input: { command, working_directory: cwd },
      cwd,
    }),
    afterwards: 'start Cursor again, and see under Hooks in its settings that the hook is there',
  },
  opencode: {
    title: 'opencode',
    dir: '.config/opencode',
    movedBy: 'XDG_CONFIG_HOME',
    movedPart: 'opencode',
    file: 'plugins/croft-guard.js',
    project: '.opencode/plugins/croft-guard.js',
    format: { kind: 'file', content: opencodePlugin },
    message: (cwd, command) => ({
      hook_event_name: 'tool.execute.before',
      session_id: 'croft-setup',
      cwd,
      tool_name: 'bash',
      tool_input: { command, description: 'Check of croft setup guard' },
    }),
    run: {
      program: 'opencode',
      args: () => ['run', PROMPT],
      env: (url) => ({
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: {
            'croft-check': {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: 'croft-check' },
              models: { check: {} },
            },
          },
          model: 'croft-check/check',
          small_model: 'croft-check/check',
          permission: { bash: 'allow', external_directory: 'allow' },
        }),
      }),
      calls: (command) => [{ name: 'bash', arguments: { command, description: 'Check of croft setup guard' } }],
    },
    afterwards: 'start opencode again',
  },
};

/** The configuration file of an agent on this machine, whether the agent is installed or not. */
export function hookFile(id: HookClientId, machine: Machine, project: boolean): string {
  const { join } = machine.platform === 'win32' ? win32 : posix;
  const { file, project: below } = HOOK_CLIENTS[id];
  return project ? join(machine.cwd, below) : join(clientDir(id, machine), file);
}

/** Whether the agent's configuration directory exists on this machine. */
export function hasHookClient(id: HookClientId, machine: Machine): boolean {
  return existsSync(clientDir(id, machine));
}

function clientDir(id: HookClientId, { platform, home, env }: Machine): string {
  const { join } = platform === 'win32' ? win32 : posix;
  const { dir, movedBy, movedPart } = HOOK_CLIENTS[id];
  const moved = movedBy === undefined ? undefined : env[movedBy]?.trim();
  return moved ? join(moved, movedPart ?? '') : join(home, dir);
}

function preToolUse(cwd: string, tool: string, command: string): object {
  return {
    session_id: 'croft-setup',
    transcript_path: '',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: { command },
    tool_use_id: 'croft-setup',
  };
}
