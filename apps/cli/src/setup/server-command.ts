import type { ServerEntry } from './client-config.ts';
import type { ClientPlace } from './clients.ts';

/** The program that runs now, or its copy, as a client starts it. */
export interface Program {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of croft.cjs. */
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
}

/** Command and arguments. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command that starts `croft mcp` with these arguments from any directory and with any PATH. Never a package's name. */
export function serverCommand({ node, script }: Program, mcpArgs: readonly string[]): ServerCommand {
  return { command: node, args: [script, 'mcp', ...mcpArgs] };
}

/** The entry of one client. A base directory that was chosen by environment goes with it: clients start servers with their own. */
export function serverEntry(
  place: ClientPlace,
  { command, args }: ServerCommand,
  baseDir: string | undefined,
): ServerEntry {
  return {
    ...(place.typed && { type: 'stdio' as const }),
    command,
    args,
    ...(baseDir !== undefined && { env: { CROFT_BASE_DIR: baseDir } }),
  };
}
