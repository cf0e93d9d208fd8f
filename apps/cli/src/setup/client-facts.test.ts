import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_FACTS, type ClientId, type UserDirs } from './client-facts.ts';

const unix: UserDirs = { home: '/h', settings: '/s', env: {}, isWindows: false, join: posix.join };
const IDS = Object.keys(CLIENT_FACTS) as ClientId[];
const each = <T>(of: (id: ClientId) => T) => Object.fromEntries(IDS.map((id) => [id, of(id)]));
const server = { command: 'node', args: ['croft', 'mcp'] };
const env = { A: '1' };

describe('what croft setup knows of the clients', () => {
  it('has the files of a user and the paths that show an installed client', () => {
    expect(each((id) => CLIENT_FACTS[id].user(unix))).toEqual({
      'claude-code': { file: '/h/.claude.json', marks: ['/h/.claude.json', '/h/.claude'] },
      'claude-desktop': { file: '/s/Claude/claude_desktop_config.json', marks: ['/s/Claude'] },
      cursor: { file: '/h/.cursor/mcp.json', marks: ['/h/.cursor'] },
      vscode: { file: '/s/Code/User/mcp.json', marks: ['/s/Code/User'] },
      codex: { file: '/h/.codex/config.toml', marks: ['/h/.codex'] },
      'gemini-cli': { file: '/h/.gemini/settings.json', marks: ['/h/.gemini'] },
      windsurf: { file: '/h/.codeium/windsurf/mcp_config.json', marks: ['/h/.codeium/windsurf'] },
      zed: { file: '/h/.config/zed/settings.json', marks: ['/h/.config/zed'] },
      opencode: { file: '/h/.config/opencode/opencode.json', marks: ['/h/.config/opencode'] },
      cline: {
        file: '/s/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        marks: ['/s/Code/User/globalStorage/saoudrizwan.claude-dev'],
      },
      continue: { file: '/h/.continue/mcpServers/croft.json', marks: ['/h/.continue'] },
      goose: { file: '/h/.config/goose/config.yaml', marks: ['/h/.config/goose'] },
      'lm-studio': { file: '/h/.lmstudio/mcp.json', marks: ['/h/.lmstudio'] },
      jetbrains: { file: '/h/.junie/mcp/mcp.json', marks: ['/h/.junie'] },
    });
  });

  it('has other directories of Zed and Goose on Windows', () => {
    const windows = { ...unix, isWindows: true };
    expect(CLIENT_FACTS.zed.user(windows)).toEqual({ file: '/s/Zed/settings.json', marks: ['/s/Zed'] });
    expect(CLIENT_FACTS.goose.user(windows)).toEqual({
      file: '/s/Block/goose/config/config.yaml',
      marks: ['/s/Block/goose/config'],
    });
  });

  it('follows the variables that move directories, unless they are blank', () => {
    const moved = (id: ClientId, name: string, value = ' /x ') =>
      CLIENT_FACTS[id].user({ ...unix, env: { [name]: value } });
    expect(moved('claude-code', 'CLAUDE_CONFIG_DIR')).toEqual({
      file: '/x/.claude.json',
      marks: ['/x/.claude.json', '/x'],
    });
    expect(moved('codex', 'CODEX_HOME').file).toBe('/x/config.toml');
    expect(moved('zed', 'XDG_CONFIG_HOME').file).toBe('/x/zed/settings.json');
    expect(moved('opencode', 'XDG_CONFIG_HOME').file).toBe('/x/opencode/opencode.json');
    expect(moved('goose', 'XDG_CONFIG_HOME').file).toBe('/x/goose/config.yaml');
    expect(moved('claude-code', 'CLAUDE_CONFIG_DIR', ' ').file).toBe('/h/.claude.json');
    expect(moved('codex', 'CODEX_HOME', ' ').file).toBe('/h/.codex/config.toml');
    for (const id of ['zed', 'opencode', 'goose'] as const)
      expect(moved(id, 'XDG_CONFIG_HOME', ' ').file).toContain('/h/.config/');
  });

  it('has the form of an entry for each client', () => {
    const plain = server;
    const typed = { type: 'stdio', ...server };
    expect(each((id) => CLIENT_FACTS[id].shape(server, 'croft'))).toEqual({
      'claude-code': typed,
      'claude-desktop': plain,
      cursor: typed,
      vscode: typed,
      codex: plain,
      'gemini-cli': plain,
      windsurf: plain,
      zed: { source: 'custom', ...server, env: {} },
      opencode: { type: 'local', command: ['node', 'croft', 'mcp'], enabled: true },
      cline: plain,
      continue: plain,
      goose: {
        name: 'croft',
        type: 'stdio',
        enabled: true,
        cmd: 'node',
        args: ['croft', 'mcp'],
        envs: {},
        timeout: 300,
      },
      'lm-studio': plain,
      jetbrains: plain,
    });
    const withEnv = { ...server, env };
    expect(CLIENT_FACTS.zed.shape(withEnv, 'c')).toMatchObject({ env });
    expect(CLIENT_FACTS.opencode.shape(withEnv, 'c')).toMatchObject({ environment: env });
    expect(CLIENT_FACTS.goose.shape(withEnv, 'c')).toMatchObject({ envs: env, name: 'c' });
    expect(CLIENT_FACTS.cursor.shape(withEnv, 'c')).toMatchObject({ env });
  });

  it('has the object of the servers, the format, and the file of a project', () => {
    expect(each((id) => [CLIENT_FACTS[id].container, CLIENT_FACTS[id].format, CLIENT_FACTS[id].project])).toEqual({
      'claude-code': ['mcpServers', 'json', '.mcp.json'],
      'claude-desktop': ['mcpServers', 'json', undefined],
      cursor: ['mcpServers', 'json', '.cursor/mcp.json'],
      vscode: ['servers', 'json', '.vscode/mcp.json'],
      codex: ['mcp_servers', 'toml', '.codex/config.toml'],
      'gemini-cli': ['mcpServers', 'json', '.gemini/settings.json'],
      windsurf: ['mcpServers', 'json', undefined],
      zed: ['context_servers', 'json', '.zed/settings.json'],
      opencode: ['mcp', 'json', 'opencode.json'],
      cline: ['mcpServers', 'json', undefined],
      continue: ['mcpServers', 'json', '.continue/mcpServers/croft.json'],
      goose: ['extensions', 'yaml', undefined],
      'lm-studio': ['mcpServers', 'json', undefined],
      jetbrains: ['mcpServers', 'json', '.junie/mcp/mcp.json'],
    });
  });

  it('names each client and the step after a change', () => {
    expect(each((id) => `${CLIENT_FACTS[id].title}: ${CLIENT_FACTS[id].afterwards}`)).toEqual({
      'claude-code': 'Claude Code: start a new session of Claude Code',
      'claude-desktop': 'Claude Desktop: quit Claude Desktop and start it again',
      cursor: 'Cursor: switch croft on under MCP in the settings of Cursor',
      vscode: 'VS Code: start croft from "MCP: List Servers" in VS Code',
      codex: 'Codex: start a new session of Codex',
      'gemini-cli': 'Gemini CLI: start Gemini CLI again',
      windsurf: 'Windsurf: refresh the list of MCP servers in Windsurf',
      zed: 'Zed: look for the green dot beside croft in the settings of the Agent Panel',
      opencode: 'opencode: start opencode again',
      cline: 'Cline: open the MCP servers of Cline in VS Code',
      continue: 'Continue: run "Continue: Reload"',
      goose: 'Goose: start a new session of Goose',
      'lm-studio': 'LM Studio: switch croft on in the Program tab of LM Studio',
      jetbrains: 'JetBrains (Junie): open the MCP settings of Junie in the IDE',
    });
  });
});
