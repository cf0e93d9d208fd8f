import { realpathSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';
import type { ServerEntry } from './client-config.ts';
import type { ClientPlace } from './clients.ts';

/** The program that runs now, as a client must start it later. */
export interface Program {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of croft's entry file, as it was started. */
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
}

/** Command and arguments. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command that starts `croft mcp` with these arguments from any directory and with any PATH: Node and the installed
 * entry file by their absolute paths. The cache of npx is cleared without notice, so from there it is npx again, with
 * this version.
 *
 * @throws UsageError when the arguments cannot be written for `cmd`
 */
export function serverCommand(program: Program, mcpArgs: readonly string[]): ServerCommand {
  const script = realScript(program.script);
  if (!/[\\/]_npx[\\/]/.test(script)) return { command: program.node, args: [script, 'mcp', ...mcpArgs] };
  const args = ['-y', `croft@${program.version}`, 'mcp', ...mcpArgs];
  if (program.platform !== 'win32') return { command: 'npx', args };
  // npx is a batch file there, which a client cannot start itself; cmd would act on these characters.
  const unsafe = mcpArgs.find((argument) => /[&|<>^%"!]/.test(argument));
  if (unsafe !== undefined) {
    throw new UsageError(
      `${unsafe} cannot be passed through npx on Windows; install Croft with npm i -g croft, then run croft setup`,
    );
  }
  return { command: 'cmd', args: ['/c', 'npx', ...args] };
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

/** A global installation is started through a link; what it leads to says whether that is npx's cache. */
function realScript(script: string): string {
  try {
    return realpathSync.native(script);
  } catch {
    return script;
  }
}
