import type { JsonObject } from './edit-json.ts';
import type { ClientPlace } from './clients.ts';

/** The running program or its copy, as a client starts it. */
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

/** Builds the command that starts `croft mcp` from any directory and with any PATH. Never uses a package's name. */
export function serverCommand({ node, script }: Program, mcpArgs: readonly string[]): ServerCommand {
  return { command: node, args: [script, 'mcp', ...mcpArgs] };
}

/**
 * Builds the entry for one client, in its own form. It includes a base directory from the environment: clients use their own
 * environment.
 */
export function serverEntry(
  place: Pick<ClientPlace, 'shape'>,
  name: string,
  { command, args }: ServerCommand,
  baseDir: string | undefined,
): JsonObject {
  return place.shape({ command, args, ...(baseDir !== undefined && { env: { CROFT_BASE_DIR: baseDir } }) }, name);
}
