import type { Command } from 'commander';
import { WORKSPACE_HELP } from './log.ts';
import type { UndoFlags } from './run-undo.ts';

/** Adds `croft undo`, which reverts changes of agents. */
export function addUndoCommand(program: Command): void {
  program
    .command('undo')
    .summary('undo changes of agents')
    .description(
      'Undoes the newest change, the newest N changes (`croft undo 3` is changes 1 to 3 of `croft log`), one change by its number (`--only 3`), or all changes since a time. A file that another program changed since is left alone; the command says so before it asks.',
    )
    .argument('[n]', 'how many changes, newest first (default 1)')
    .option('--only <n>', 'only the change with this number in croft log')
    .option('--since <time>', 'all changes since a time: 10m, 2h, 1d, or a date and time as in croft log')
    .option('--dir <dir>', WORKSPACE_HELP)
    .option('--user <id>', "this user's own namespace instead")
    .option('--dry-run', 'show what would be undone, and change nothing')
    .option('--diff', 'also show the lines that each change added and removed')
    .option('--yes', 'do not ask')
    .option('--json', 'print the outcome as JSON')
    .action(async (n: string | undefined, flags: UndoFlags) => {
      const { runUndo } = await import('./run-undo.ts');
      await runUndo(n, flags);
    });
}
