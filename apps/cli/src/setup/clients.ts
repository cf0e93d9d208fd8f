import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The clients `croft setup` knows. */
export const CLIENT_IDS = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

/** The machine clients are looked for on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where `--project` files lie. */
  readonly cwd: string;
}

/** One client's configuration file. */
export interface ClientPlace {
  readonly id: ClientId;
  /** Its name, for people. */
  readonly title: string;
  readonly file: string;
  /** The object in the file that holds the servers. */
  readonly container: 'mcpServers' | 'servers';
  /** Whether entries say `"type": "stdio"`. */
  readonly typed: boolean;
  /** Any of these exists where the client is installed. */
  readonly marks: readonly string[];
  /** What makes the client read its configuration anew. */
  readonly afterwards: string;
}

interface ClientFacts extends Omit<ClientPlace, 'id' | 'file' | 'marks'> {
  user(places: UserDirs): { readonly file: string; readonly marks: readonly string[] };
  /** Below the project, where the client has such a file. */
  readonly project: string | undefined;
}

interface UserDirs {
  readonly home: string;
  /** Where programs keep their settings on this system. */
  readonly settings: string;
  readonly env: NodeJS.ProcessEnv;
  join(...parts: string[]): string;
}

/**
 * Places and formats as the clients document them: code.claude.com/docs/en/mcp, modelcontextprotocol.io/docs (Claude
 * Desktop), cursor.com/docs/mcp, code.visualstudio.com/docs/copilot/reference/mcp-configuration.
 */
const FACTS: Readonly<Record<ClientId, ClientFacts>> = {
  'claude-code': {
    title: 'Claude Code',
    container: 'mcpServers',
    typed: true,
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
    container: 'mcpServers',
    typed: false,
    user: ({ settings, join }) => inDir(join(settings, 'Claude'), 'claude_desktop_config.json', join),
    project: undefined,
    afterwards: 'quit Claude Desktop and start it again',
  },
  cursor: {
    title: 'Cursor',
    container: 'mcpServers',
    typed: true,
    user: ({ home, join }) => inDir(join(home, '.cursor'), 'mcp.json', join),
    project: '.cursor/mcp.json',
    afterwards: 'switch croft on under MCP in the settings of Cursor',
  },
  vscode: {
    title: 'VS Code',
    container: 'servers',
    typed: true,
    user: ({ settings, join }) => inDir(join(settings, 'Code', 'User'), 'mcp.json', join),
    project: '.vscode/mcp.json',
    afterwards: 'start croft from "MCP: List Servers" in VS Code',
  },
};

/** Where a client keeps its configuration on this machine, whether it is installed or not; `undefined` when it has no project file. */
export function clientPlace(id: ClientId, machine: Machine, project = false): ClientPlace | undefined {
  const { user, project: below, ...facts } = FACTS[id];
  const { join } = machine.platform === 'win32' ? win32 : posix;
  if (project) return below === undefined ? undefined : { id, ...facts, file: join(machine.cwd, below), marks: [] };
  const { home, env } = machine;
  return { id, ...facts, ...user({ home, env, join, settings: settingsDir(machine, join) }) };
}

/** Whether the client has left a trace on this machine. */
export function isInstalled(place: ClientPlace): boolean {
  return place.marks.some((path) => existsSync(path));
}

function inDir(dir: string, name: string, join: UserDirs['join']): { file: string; marks: string[] } {
  return { file: join(dir, name), marks: [dir] };
}

function settingsDir({ platform, home, env }: Machine, join: UserDirs['join']): string {
  if (platform === 'win32') return env.APPDATA?.trim() || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME?.trim() || join(home, '.config');
}
