import type { Command } from 'commander';

/** Adds `croft open`, which makes a new one-time address of the page, for a browser that is no longer signed in. */
export function addOpenCommand(program: Command): void {
  program
    .command('open')
    .summary('open the page of the running server')
    .description(
      'Prints a new one-time address for the page of the server that runs on this machine, and opens it in a browser. For a server without sign-in (CROFT_AUTO_LOGIN=true).',
    )
    .option('--no-open', 'only print the address')
    .action(async (flags: { open: boolean }) => {
      // Loaded on demand: the configuration's schema would add milliseconds to every start.
      const { runOpen } = await import('./run-open.ts');
      await runOpen(flags);
    });
}
