import { expect, it } from 'vitest';
import { clientConfigs } from './client-configs.ts';

const of = (id: string, over?: 'files' | 'flows', token: string | undefined = 'croft_t') =>
  clientConfigs({ url: 'https://croft.test', token, ...(over && { over }) }).find((each) => each.id === id)?.text ?? '';
const json = (id: string, ...more: Parameters<typeof of> extends [string, ...infer Rest] ? Rest : never) =>
  JSON.parse(of(id, ...more));
const headers = { Authorization: 'Bearer croft_t' };

it('configures each client with the endpoint and the token', () => {
  expect(of('claude-code')).toBe(
    'claude mcp add --transport http croft https://croft.test/mcp \\\n  --header "Authorization: Bearer croft_t"',
  );
  expect(json('cursor')).toEqual({ mcpServers: { croft: { url: 'https://croft.test/mcp', headers } } });
  expect(json('vscode')).toEqual({ servers: { croft: { type: 'http', url: 'https://croft.test/mcp', headers } } });
  expect(of('codex')).toBe(
    '[mcp_servers.croft]\nurl = "https://croft.test/mcp"\nhttp_headers = { Authorization = "Bearer croft_t" }',
  );
  expect(json('gemini')).toEqual({ mcpServers: { croft: { httpUrl: 'https://croft.test/mcp', headers } } });
  expect(of('any')).toBe('URL     https://croft.test/mcp\nHeader  Authorization: Bearer croft_t');
});

it('names the tools over flows apart from those over files', () => {
  expect(json('cursor', 'flows')).toEqual({
    mcpServers: { 'croft-flows': { url: 'https://croft.test/mcp/flows', headers } },
  });
});

it('names each client, and where its configuration belongs', () => {
  const configs = clientConfigs({ url: 'https://croft.test', token: undefined });
  expect(configs.map(({ id, client, where }) => [id, client, where])).toEqual([
    ['claude-code', 'Claude Code', 'Run in a terminal'],
    ['cursor', 'Cursor', '~/.cursor/mcp.json'],
    ['vscode', 'VS Code', '.vscode/mcp.json, or the user mcp.json'],
    ['codex', 'Codex', '~/.codex/config.toml'],
    ['gemini', 'Gemini CLI', '~/.gemini/settings.json'],
    ['any', 'Any client', 'Streamable HTTP'],
  ]);
});

it('writes no header where no token is needed', () => {
  const texts = clientConfigs({ url: 'https://croft.test', token: undefined }).map(({ text }) => text);
  expect(texts).toEqual([
    'claude mcp add --transport http croft https://croft.test/mcp',
    JSON.stringify({ mcpServers: { croft: { url: 'https://croft.test/mcp' } } }, null, 2),
    JSON.stringify({ servers: { croft: { type: 'http', url: 'https://croft.test/mcp' } } }, null, 2),
    '[mcp_servers.croft]\nurl = "https://croft.test/mcp"',
    JSON.stringify({ mcpServers: { croft: { httpUrl: 'https://croft.test/mcp' } } }, null, 2),
    'URL     https://croft.test/mcp',
  ]);
});
