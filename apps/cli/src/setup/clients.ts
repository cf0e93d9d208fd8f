import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { CLIENT_FACTS, type ClientId, type ConfigFormat, type UserDirs } from './client-facts.ts';
import type { ServerEntry } from './client-config.ts';

export type { ClientId };

/** The clients that `croft setup` supports. */
export const CLIENT_IDS = Object.keys(CLIENT_FACTS) as readonly ClientId[];

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
  readonly container: string;
  readonly format: ConfigFormat;
  /** A server's entry as this client writes it. */
  readonly shape: (server: ServerEntry, name: string) => Readonly<Record<string, unknown>>;
  /** Paths of which one exists if the client is installed. */
  readonly marks: readonly string[];
  /** The step after which the client reads its configuration again. */
  readonly afterwards: string;
}

/** The configuration of a client on this machine, installed or not; `undefined` if the client has no project file. */
export function clientPlace(id: ClientId, machine: Machine, project = false): ClientPlace | undefined {
  const { user, project: below, ...facts } = CLIENT_FACTS[id];
  const { join } = machine.platform === 'win32' ? win32 : posix;
  if (project) return below === undefined ? undefined : { id, ...facts, file: join(machine.cwd, below), marks: [] };
  const { home, env } = machine;
  return {
    id,
    ...facts,
    ...user({ home, env, join, isWindows: machine.platform === 'win32', settings: settingsDir(machine, join) }),
  };
}

/** Whether files of the client exist on this machine. */
export function isInstalled(place: ClientPlace): boolean {
  return place.marks.some((path) => existsSync(path));
}

function settingsDir({ platform, home, env }: Machine, join: UserDirs['join']): string {
  if (platform === 'win32') return env.APPDATA?.trim() || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME?.trim() || join(home, '.config');
}
