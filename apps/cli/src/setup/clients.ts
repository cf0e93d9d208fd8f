import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The clients that `croft setup` supports. */
export const CLIENT_IDS = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

/** The machine on which `croft setup` looks for clients. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The project directory for `--project`. */
  readonly cwd: string;
}

/** One client's configuration file. */
export interface ClientPlace {
  readonly id: ClientId;
  /** The client's name, for people. */
  readonly title: string;
  readonly file: string;
  /** The object in the file that holds the servers. */
  readonly container: 'mcpServers' | 'servers';
  /** Whether entries have `"type": "stdio"`. */
  readonly typed: boolean;
  /** Paths of which one exists if the client is installed. */
  readonly marks: readonly string[];
  /** The step after which the client reads its configuration again. */
  readonly afterwards: string;
}

interface ClientFacts extends Omit<ClientPlace, 'id' | 'file' | 'marks'> {
  user(places: UserDirs): { readonly file: string; readonly marks: readonly string[] };
  /** The file below a project; undefined if the client has none. */
  readonly project: string | undefined;
}

interface UserDirs {
  readonly home: string;
  /** The directory of program settings on this system. */
  readonly settings: string;
  readonly env: NodeJS.ProcessEnv;
  join(...parts: string[]): string;
}

/**
 * Paths and formats, from the documentation of the clients: code.claude.com/docs/en/mcp, modelcontextprotocol.io/docs (Claude
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

/** The configuration of a client on this machine, installed or not; `undefined` if the client has no project file. */
export function clientPlace(id: ClientId, machine: Machine, project = false): ClientPlace | undefined {
  const { user, project: below, ...facts } = FACTS[id];
  const { join } = machine.platform === 'win32' ? win32 : posix;
  if (project) return below === undefined ? undefined : { id, ...facts, file: join(machine.cwd, below), marks: [] };
  const { home, env } = machine;
  return { id, ...facts, ...user({ home, env, join, settings: settingsDir(machine, join) }) };
}

/** Whether files of the client exist on this machine. */
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
