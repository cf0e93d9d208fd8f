import type { Command } from 'commander';
import type { ConnectFlags } from './connect-flags.ts';
import { collectValues } from './collect-values.ts';
import { parseCount } from './serving-flags.ts';

const EXAMPLES = `
Examples:
  croft connect https://croft.example.com gw_…   share the current directory with that server
  croft connect                                  wait for the server's page, open in a browser on this machine
  croft connect --dir ~/projects/app             share another directory
  croft connect https://croft.example.com        connect again after a crash, without a new token

While this runs, the server's agents can read and search the directory. They can change it only with --allow-write, and they
cannot access credential files (.env, keys, .ssh, .git …). Ctrl+C ends the connection for good.
For a fixed key on both sides, set CROFT_GATEWAY_API_KEY. The command uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY.`;

/** Adds `croft connect`, which lets a remote Croft server use a directory of this machine. */
export function addConnectCommand(program: Command): void {
  program
    .command('connect')
    .summary('let a server use a directory of this machine')
    .description(
      'Connects a directory of this machine to a Croft server, whose agents can then read it. Run the command that the server shows under "Connect a folder", or run `croft connect` alone: that page finds it.',
    )
    .argument('[url]', 'address of the server; may have a path')
    .argument('[token]', 'the pairing token that the server shows; it works once, within five minutes')
    .option('--dir <dir>', 'directory to share (default: the current one)')
    .option('--port <n>', 'port of the local listener that pages look for, 0 for any (default 7655)', parseCount)
    .option('--no-listen', 'no local listener')
    .option('--allow-write', 'let the server change files too; croft undo reverts changes')
    .option(
      '--allow-origin <url>',
      'let pages of this origin connect without a question (repeatable)',
      collectValues,
      [],
    )
    .option('--auto-confirm', 'let every page connect without a question; for scripts')
    .option('--json', 'print one JSON object per line, and ask no questions')
    .addHelpText('after', EXAMPLES)
    .action(async (url: string | undefined, token: string | undefined, flags: ConnectFlags) => {
      // Loaded on demand, because croft mcp must start fast.
      const { runConnect } = await import('./connect-run.ts');
      await runConnect(url, token, flags);
    });
}
