import type { Command } from 'commander';
import { addServingFlags, parseCount, type ServingFlags } from './serving-flags.ts';

/** `croft serve`: the shared workspace over HTTP, with a page that says how to connect. */
export function addServeCommand(program: Command): void {
  addServingFlags(
    program
      .command('serve')
      .summary('serve the shared workspace over HTTP')
      .description('Serves the shared workspace below the base directory. For a directory: croft mcp --http <dir>.'),
  )
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on, 0 for any (default 7860)', parseCount)
    .option('--no-open', 'do not open the page in a browser')
    .action(async (flags: ServingFlags & { host?: string; port?: number; open: boolean }) => {
      const { runMcpHttp } = await import('./run-mcp-http.ts');
      return runMcpHttp({ ...flags, dir: [], token: true });
    });
}
