/** The configuration of one MCP client. */
export interface ClientConfig {
  readonly id: string;
  readonly client: string;
  /** The file or place it belongs in. */
  readonly where: string;
  readonly text: string;
}

export interface Connection {
  readonly url: string;
  readonly token: string | undefined;
  /** The endpoint: the tools over files, which is the default, or those over flows. */
  readonly over?: 'files' | 'flows';
}

/** Ready-made configurations for the common clients, token included. */
export function clientConfigs({ url, token, over = 'files' }: Connection): readonly ClientConfig[] {
  const [name, endpoint] = over === 'files' ? ['croft', `${url}/mcp`] : ['croft-flows', `${url}/mcp/flows`];
  const headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
  const entry = { url: endpoint, ...(headers && { headers }) };
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const header = token === undefined ? '' : ` \\\n  --header "Authorization: Bearer ${token}"`;
  return [
    {
      id: 'claude-code',
      client: 'Claude Code',
      where: 'Run in a terminal',
      text: `claude mcp add --transport http ${name} ${endpoint}${header}`,
    },
    { id: 'cursor', client: 'Cursor', where: '~/.cursor/mcp.json', text: json({ mcpServers: { [name]: entry } }) },
    {
      id: 'vscode',
      client: 'VS Code',
      where: '.vscode/mcp.json, or the user mcp.json',
      text: json({ servers: { [name]: { type: 'http', ...entry } } }),
    },
    {
      id: 'codex',
      client: 'Codex',
      where: '~/.codex/config.toml',
      // JSON strings are strings of TOML.
      text: [
        `[mcp_servers.${name}]`,
        `url = ${JSON.stringify(endpoint)}`,
        ...(token === undefined ? [] : [`http_headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`]),
      ].join('\n'),
    },
    {
      id: 'gemini',
      client: 'Gemini CLI',
      where: '~/.gemini/settings.json',
      text: json({ mcpServers: { [name]: { httpUrl: endpoint, ...(headers && { headers }) } } }),
    },
    {
      id: 'any',
      client: 'Any client',
      where: 'Streamable HTTP',
      text: `URL     ${endpoint}${token === undefined ? '' : `\nHeader  Authorization: Bearer ${token}`}`,
    },
  ];
}
