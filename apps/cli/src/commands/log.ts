import type { Command } from 'commander';
import type { LogFlags } from './run-log.ts';
import { parseCount } from './serving-flags.ts';

/** Help text for `--dir` of `log` and `undo`. */
export const WORKSPACE_HELP = 'the workspace (default: the current directory, or the nearest above it with activity)';

/** Adds `croft log`, which shows calls in a workspace, newest last. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .summary('show what agents did in a workspace')
    .description(
      'Shows what agents did in a workspace, newest last. The number in front of a change is its number for `croft undo`: `croft undo 3` undoes 1 to 3, `croft undo --only 3` only number 3. A change that was undone says so and has no number. Times are local; with --json they are in UTC.',
    )
    .option('--dir <dir>', WORKSPACE_HELP)
    .option('--user <id>', "this user's own namespace instead")
    .option('--limit <n>', 'most entries to show', parseCount, 50)
    .option('--changes', 'only calls that changed something')
    .option('--diff', 'also show the lines that each change added and removed')
    .option('--json', 'print one JSON object per line; with --diff, each has its `diffs`')
    .action(async (flags: LogFlags) => {
      const { runLog } = await import('./run-log.ts');
      await runLog(flags);
    });
}
