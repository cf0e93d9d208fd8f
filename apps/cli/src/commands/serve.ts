import { type Command, InvalidArgumentError, Option } from 'commander';
import { addOpenCommand } from './open.ts';
import type { ServeFlags } from './run-serve.ts';
import { parseCount } from './serving-flags.ts';

/** Adds `croft serve`, which runs the server with pages, accounts and the gateway, and `croft open`. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .summary('run the server: files, accounts, agents, and the gateway to other machines')
    .description(
      'Runs the Croft server: its pages, MCP at /mcp, REST, and the gateway that machines connect their folders to. Settings come from the environment and from croft.config.yaml in the base directory; croft doctor shows every value that is set or has a default. To serve only one directory to an agent, use croft mcp --http <dir>.',
    )
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on, 0 for any (default 7860)', parseCount)
    .option('--public-url <url>', 'the address that users open, behind a proxy; may have a path', parseUrl)
    .option('--no-open', 'do not open the page in a browser')
    .option(
      '--allow-open-auto-login',
      'let other machines reach a server without sign-in: everyone with the address is its one user',
    )
    .addOption(
      new Option(
        '--role <role>',
        'server, or worker: takes queued runs of a server with the same DATABASE_URL, base directory and secret key',
      )
        .choices(['server', 'worker'])
        .default('server'),
    )
    .action(async (flags: ServeFlags & { readonly role: 'server' | 'worker' }) => {
      if (flags.role === 'worker') {
        const { runWorker } = await import('./run-worker.ts');
        return runWorker();
      }
      // Loaded on demand, because croft mcp must start fast.
      const { runServe } = await import('./run-serve.ts');
      await runServe(flags);
    });
  addOpenCommand(program);
}

function parseUrl(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text))
    throw new InvalidArgumentError('Give an address such as https://croft.example/.');
  return text;
}
