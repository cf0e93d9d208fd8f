import type { ServerEntry } from './client-config.ts';

/** The clients that `croft setup` supports. */
export type ClientId =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'codex'
  | 'gemini-cli'
  | 'windsurf'
  | 'zed'
  | 'opencode'
  | 'cline'
  | 'continue'
  | 'goose'
  | 'lm-studio'
  | 'jetbrains';

export type ConfigFormat = 'json' | 'toml' | 'yaml';

/** The directories in which clients of a user have their settings. */
export interface UserDirs {
  readonly home: string;
  /** The directory of program settings on this system. */
  readonly settings: string;
  readonly env: NodeJS.ProcessEnv;
  readonly isWindows: boolean;
  join(...parts: string[]): string;
}

export interface ClientFacts {
  /** The client's name, for people. */
  readonly title: string;
  readonly container: string;
  readonly format: ConfigFormat;
  shape(server: ServerEntry, name: string): Readonly<Record<string, unknown>>;
  user(places: UserDirs): { readonly file: string; readonly marks: readonly string[] };
  /** The file below a project; undefined if the client has none. */
  readonly project: string | undefined;
  readonly afterwards: string;
}

const plain: ClientFacts['shape'] = (server) => ({ ...server });
const typed: ClientFacts['shape'] = (server) => ({ type: 'stdio', ...server });
const JSON_SERVERS = { container: 'mcpServers', format: 'json', shape: plain } as const;

function inDir(join: UserDirs['join'], dir: string, ...name: string[]): { file: string; marks: string[] } {
  return { file: join(dir, ...name), marks: [dir] };
}

/**
 * Paths and formats, from the documentation of the clients: code.claude.com/docs/en/mcp, modelcontextprotocol.io/docs (Claude
 * Desktop), cursor.com/docs/mcp, code.visualstudio.com/docs/copilot/reference/mcp-configuration, developers.openai.com/codex/mcp,
 * geminicli.com/docs/tools/mcp-server, docs.windsurf.com, zed.dev/docs/ai/mcp, opencode.ai/docs/mcp-servers, docs.cline.bot/mcp,
 * docs.continue.dev/customize/deep-dives/mcp, goose-docs.ai, lmstudio.ai/docs/app/mcp, jetbrains.com/help/junie.
 */
export const CLIENT_FACTS: Readonly<Record<ClientId, ClientFacts>> = {
  'claude-code': {
    title: 'Claude Code',
    ...JSON_SERVERS,
    shape: typed,
    user({ home, env, join }) {
      const moved = env.CLAUDE_CONFIG_DIR?.trim();
      const file = join(moved || home, '.claude.json');
      return { file, marks: [file, moved || join(home, '.claude')] };
    },
    project: '.mcp.json',
    afterwards: 'start a new session of Claude Code',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    ...JSON_SERVERS,
    user: ({ settings, join }) => inDir(join, join(settings, 'Claude'), 'claude_desktop_config.json'),
    project: undefined,
    afterwards: 'quit Claude Desktop and start it again',
  },
  cursor: {
    title: 'Cursor',
    ...JSON_SERVERS,
    shape: typed,
    user: ({ home, join }) => inDir(join, join(home, '.cursor'), 'mcp.json'),
    project: '.cursor/mcp.json',
    afterwards: 'switch croft on under MCP in the settings of Cursor',
  },
  vscode: {
    title: 'VS Code',
    container: 'servers',
    format: 'json',
    shape: typed,
    user: ({ settings, join }) => inDir(join, join(settings, 'Code', 'User'), 'mcp.json'),
    project: '.vscode/mcp.json',
    afterwards: 'start croft from "MCP: List Servers" in VS Code',
  },
  codex: {
    title: 'Codex',
    container: 'mcp_servers',
    format: 'toml',
    shape: plain,
    user: ({ home, env, join }) => inDir(join, env.CODEX_HOME?.trim() || join(home, '.codex'), 'config.toml'),
    project: '.codex/config.toml',
    afterwards: 'start a new session of Codex',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    ...JSON_SERVERS,
    user: ({ home, join }) => inDir(join, join(home, '.gemini'), 'settings.json'),
    project: '.gemini/settings.json',
    afterwards: 'start Gemini CLI again',
  },
  windsurf: {
    title: 'Windsurf',
    ...JSON_SERVERS,
    user: ({ home, join }) => inDir(join, join(home, '.codeium', 'windsurf'), 'mcp_config.json'),
    project: undefined,
    afterwards: 'refresh the list of MCP servers in Windsurf',
  },
  zed: {
    title: 'Zed',
    container: 'context_servers',
    format: 'json',
    shape: ({ command, args, env = {} }) => ({ source: 'custom', command, args, env }),
    user({ home, settings, isWindows, env, join }) {
      if (isWindows) return inDir(join, join(settings, 'Zed'), 'settings.json');
      return inDir(join, join(env.XDG_CONFIG_HOME?.trim() || join(home, '.config'), 'zed'), 'settings.json');
    },
    project: '.zed/settings.json',
    afterwards: 'look for the green dot beside croft in the settings of the Agent Panel',
  },
  opencode: {
    title: 'opencode',
    container: 'mcp',
    format: 'json',
    shape: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(env && { environment: env }),
    }),
    user: ({ home, env, join }) =>
      inDir(join, join(env.XDG_CONFIG_HOME?.trim() || join(home, '.config'), 'opencode'), 'opencode.json'),
    project: 'opencode.json',
    afterwards: 'start opencode again',
  },
  cline: {
    title: 'Cline',
    ...JSON_SERVERS,
    user({ settings, join }) {
      const dir = join(settings, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev');
      return inDir(join, dir, 'settings', 'cline_mcp_settings.json');
    },
    project: undefined,
    afterwards: 'open the MCP servers of Cline in VS Code',
  },
  continue: {
    title: 'Continue',
    ...JSON_SERVERS,
    // Continue reads every file of this directory, in the form of Claude's configuration.
    user({ home, join }) {
      const dir = join(home, '.continue');
      return inDir(join, dir, 'mcpServers', 'croft.json');
    },
    project: '.continue/mcpServers/croft.json',
    afterwards: 'run "Continue: Reload"',
  },
  goose: {
    title: 'Goose',
    container: 'extensions',
    format: 'yaml',
    shape: ({ command, args, env = {} }, name) => ({
      name,
      type: 'stdio',
      enabled: true,
      cmd: command,
      args,
      envs: env,
      timeout: 300,
    }),
    user({ home, settings, isWindows, env, join }) {
      if (isWindows) return inDir(join, join(settings, 'Block', 'goose', 'config'), 'config.yaml');
      return inDir(join, join(env.XDG_CONFIG_HOME?.trim() || join(home, '.config'), 'goose'), 'config.yaml');
    },
    project: undefined,
    afterwards: 'start a new session of Goose',
  },
  'lm-studio': {
    title: 'LM Studio',
    ...JSON_SERVERS,
    user: ({ home, join }) => inDir(join, join(home, '.lmstudio'), 'mcp.json'),
    project: undefined,
    afterwards: 'switch croft on in the Program tab of LM Studio',
  },
  jetbrains: {
    title: 'JetBrains (Junie)',
    ...JSON_SERVERS,
    user: ({ home, join }) => inDir(join, join(home, '.junie'), 'mcp', 'mcp.json'),
    project: '.junie/mcp/mcp.json',
    afterwards: 'open the MCP settings of Junie in the IDE',
  },
};
