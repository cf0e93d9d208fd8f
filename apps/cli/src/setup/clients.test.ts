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
    ['vscode', { ...windows, env: {} }, 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json'],
  ];
  for (const [id, machine, file] of table) {
    it(`finds ${id} on ${machine.platform} at ${file}`, () => expect(clientPlace(id, machine)?.file).toBe(file));
  }

  it('finds the files of a project', () => {
    expect(CLIENT_IDS.map((id) => clientPlace(id, linux, true)?.file)).toEqual([
      '/work/app/.mcp.json',
      undefined,
      '/work/app/.cursor/mcp.json',
      '/work/app/.vscode/mcp.json',
    ]);
  });

  it('puts the servers of VS Code under "servers" and those of the others under "mcpServers"', () => {
    expect(CLIENT_IDS.map((id) => clientPlace(id, linux)?.container)).toEqual([
      'mcpServers',
      'mcpServers',
      'mcpServers',
      'servers',
    ]);
  });
});
