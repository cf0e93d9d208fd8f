import type { Command } from 'commander';
import { addServingFlags, collect, parseCount, type ServeFlags } from './serving-flags.ts';

/** `croft serve`: the tools over HTTP, with a page that says how to connect. */
export function addServeCommand(program: Command): void {
  addServingFlags(
    program
      .command('serve')
      .summary('serve a directory over HTTP, with a page that says how to connect')
      .description(
        'Serves MCP over Streamable HTTP at /mcp, and a page that shows what is served and how to connect. Without --dir the shared workspace below the base directory is served.',
      )
      .option('--dir <dir>', 'directory to serve (repeatable)', collect, []),
  )
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on, 0 for any (default 7860)', parseCount)
    .option('--no-open', 'do not open the page in a browser')
    .option('--no-token', 'let every program on this machine use /mcp')
    .action(async (flags: ServeFlags) => {
      // Read when it is wanted: the HTTP server is a third of the program, and croft mcp has to start fast.
      const { runServe } = await import('./run-serve.ts');
      await runServe(flags);
    });
}
