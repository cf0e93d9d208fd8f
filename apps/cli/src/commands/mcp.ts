import { type Command, Option } from 'commander';
import { UsageError } from '../usage-error.ts';
import type { McpFlowsFlags } from './run-mcp-flows.ts';
import type { McpHttpFlags } from './run-mcp-http.ts';
import { addDirFlag, addServingFlags, directoriesOf, parseCount } from './serving-flags.ts';

/** Adds `croft mcp <dir>…`, which serves the tools over standard input and output, or over HTTP. */
export function addMcpCommand(program: Command): void {
  const command = addServingFlags(
    program
      .command('mcp')
      .summary('serve directories to an MCP client over stdio, or over HTTP')
      .description(
        'Serves one or more directories to an MCP client over standard input and output. With several directories, a path starts with the name of one of them. With --http it serves over Streamable HTTP at /mcp, with a page that shows the directories and how to connect; without a directory it serves the shared workspace below the base directory. With --flows it serves the flows of a Croft server.',
      )
      .argument('[dir...]', 'directories to serve; the home directory, those above it and / only with --dir'),
  );
  addDirFlag(command)
    .option('--http', 'serve over HTTP instead, with a page that shows how to connect')
    .option('--host <address>', 'with --http: address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'with --http: port to listen on, 0 for any (default 7860)', parseCount)
    .option('--no-open', 'with --http: do not open the page in a browser')
    .option('--no-token', 'with --http: let every program on this machine use /mcp')
    .option('--flows', 'serve the flows of a Croft server instead of directories')
    .option('--server <url>', 'with --flows: address of the server (default: the one on this machine)')
    .addOption(
      new Option('--flow-tools <name>', 'with --flows: which tools to offer').choices(['core', 'all']).default('core'),
    )
    .action(async (args: string[], flags: McpFlags) => {
      const dirs = directoriesOf(args, flags.dir);
      // Each part is loaded on demand: the HTTP server is a third of the program, and croft mcp must start fast.
      if (flags.flows === true) {
        if (dirs.length > 0) throw new UsageError('--flows takes no directory');
        if (flags.http)
          throw new UsageError('--flows is for stdio. The server itself serves flows over HTTP at /mcp/flows');
        const { runMcpFlows } = await import('./run-mcp-flows.ts');
        return runMcpFlows(flags);
      }
      if (flags.server !== undefined) throw new UsageError('--server is for --flows');
      if (!flags.http) {
        refuseHttpFlags(flags);
        const { runMcp } = await import('./run-mcp.ts');
        return runMcp(dirs, flags);
      }
      const { runMcpHttp } = await import('./run-mcp-http.ts');
      return runMcpHttp({ ...flags, dir: dirs });
    });
}

type McpFlags = McpHttpFlags & McpFlowsFlags & { readonly http?: boolean; readonly flows?: boolean };

function refuseHttpFlags({ host, port, open, token }: McpFlags): void {
  const given = Object.entries({ host, port, 'no-open': !open, 'no-token': !token }).find(([, value]) => value);
  if (port === 0 || given !== undefined) throw new UsageError(`--${given?.[0] ?? 'port'} is for --http`);
}
