import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, type ClientId, clientPlace, type Machine } from './clients.ts';

const linux: Machine = { platform: 'linux', home: '/home/ada', env: {}, cwd: '/work/app' };
const mac: Machine = { platform: 'darwin', home: '/Users/ada', env: {}, cwd: '/work/app' };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
  cwd: 'D:\\app',
};

describe('the configuration files of clients', () => {
  const table: [ClientId, Machine, string][] = [
    ['claude-code', linux, '/home/ada/.claude.json'],
    ['claude-code', mac, '/Users/ada/.claude.json'],
    ['claude-code', windows, 'C:\\Users\\ada\\.claude.json'],
    ['claude-code', { ...linux, env: { CLAUDE_CONFIG_DIR: '/etc/claude' } }, '/etc/claude/.claude.json'],
    ['claude-desktop', linux, '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', mac, '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', windows, 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['cursor', linux, '/home/ada/.cursor/mcp.json'],
    ['cursor', mac, '/Users/ada/.cursor/mcp.json'],
    ['cursor', windows, 'C:\\Users\\ada\\.cursor\\mcp.json'],
    ['vscode', linux, '/home/ada/.config/Code/User/mcp.json'],
    ['vscode', { ...linux, env: { XDG_CONFIG_HOME: '/x' } }, '/x/Code/User/mcp.json'],
    ['vscode', mac, '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    ['codex', linux, '/home/ada/.codex/config.toml'],
    ['codex', { ...linux, env: { CODEX_HOME: '/c' } }, '/c/config.toml'],
    ['gemini-cli', mac, '/Users/ada/.gemini/settings.json'],
    ['windsurf', windows, 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json'],
    ['zed', mac, '/Users/ada/.config/zed/settings.json'],
    ['zed', windows, 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json'],
    ['opencode', linux, '/home/ada/.config/opencode/opencode.json'],
    [
      'cline',
      mac,
      '/Users/ada/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
    ['continue', linux, '/home/ada/.continue/mcpServers/croft.json'],
    ['goose', mac, '/Users/ada/.config/goose/config.yaml'],
    ['goose', windows, 'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
    ['lm-studio', linux, '/home/ada/.lmstudio/mcp.json'],
    ['jetbrains', linux, '/home/ada/.junie/mcp/mcp.json'],
    ['vscode', { ...windows, env: {} }, 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json'],
  ];
  for (const [id, machine, file] of table) {
    it(`finds ${id} on ${machine.platform} at ${file}`, () => expect(clientPlace(id, machine)?.file).toBe(file));
  }

  it('finds the files of a project', () => {
    const files = CLIENT_IDS.map((id) => [id, clientPlace(id, linux, true)?.file.replace('/work/app/', '')]);
    expect(Object.fromEntries(files.filter(([, file]) => file !== undefined))).toEqual({
      'claude-code': '.mcp.json',
      cursor: '.cursor/mcp.json',
      vscode: '.vscode/mcp.json',
      codex: '.codex/config.toml',
      'gemini-cli': '.gemini/settings.json',
      zed: '.zed/settings.json',
      opencode: 'opencode.json',
      continue: '.continue/mcpServers/croft.json',
      jetbrains: '.junie/mcp/mcp.json',
    });
  });

  it('puts the servers where each client looks for them', () => {
    const containers = CLIENT_IDS.map((id) => [id, clientPlace(id, linux)?.container]);
    expect(Object.fromEntries(containers.filter(([, container]) => container !== 'mcpServers'))).toEqual({
      vscode: 'servers',
      codex: 'mcp_servers',
      zed: 'context_servers',
      opencode: 'mcp',
      goose: 'extensions',
    });
  });
});
