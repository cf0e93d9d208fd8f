import { type ActivityEntry, clean, openActivity, selectUndo } from '@croft/tools';
import { croftBaseDir } from '@croft/workspace';
import type { Command } from 'commander';
import { workspaceRoot } from '../compose/workspace-root.ts';
import { palette } from '../render/colours.ts';
import { parseCount } from './serving-flags.ts';

/** `croft log`: what agents did in a workspace, newest last. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .summary('show what agents did in a workspace')
    .description(
      'Shows what agents did in a workspace, newest last. The number in front of a change is what `croft undo` counts by.',
    )
    .option('--dir <dir>', 'the workspace', '.')
    .option('--limit <n>', 'most entries to show', parseCount, 50)
    .option('--changes', 'only calls that changed something')
    .option('--json', 'one JSON object a line')
    .action((flags: { dir: string; limit: number; changes?: boolean; json?: boolean }) => {
      outliveReader();
      const { entries, root } = readActivity(flags.dir);
      const chosen = entries
        .filter((entry) => !flags.changes || entry.changes !== undefined)
        .slice(flags.limit === 0 ? Number.POSITIVE_INFINITY : -flags.limit);
      if (flags.json) {
        for (const entry of chosen) process.stdout.write(`${JSON.stringify(entry)}\n`);
        return;
      }
      if (chosen.length === 0) {
        process.stdout.write(`No activity in ${root} yet.\n`);
        return;
      }
      const order = undoOrder(entries);
      const width = Math.max(4, ...chosen.map((entry) => entry.tool.length));
      for (const entry of chosen) process.stdout.write(`${renderEntry(entry, order.get(entry.id), width)}\n`);
    });
}

/** `croft log | head` closes the output early; that is no failure. */
export function outliveReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** The activity of a directory, by the directory as a person names it. */
export function readActivity(dir: string): { entries: readonly ActivityEntry[]; root: string } {
  const baseDir = croftBaseDir();
  const root = workspaceRoot(dir, baseDir);
  return { entries: openActivity(baseDir, root).entries(), root };
}

/** Position of each call that can still be taken back: 1 is the newest. */
export function undoOrder(entries: readonly ActivityEntry[]): ReadonlyMap<string, number> {
  return new Map(selectUndo(entries, { count: Number.POSITIVE_INFINITY }).map((entry, i) => [entry.id, i + 1]));
}

/** One entry as one line. */
export function renderEntry(entry: ActivityEntry, position: number | undefined, toolWidth: number): string {
  const { dim, red, green, bold } = palette(process.stdout);
  const mark = position === undefined ? '    ' : bold(String(position).padStart(4));
  const time = dim(entry.time.slice(0, 19).replace('T', ' '));
  const outcome = entry.outcome === 'ok' ? green('ok') : red(entry.outcome);
  const what = entry.changes === undefined ? entry.paths.join(' → ') : entry.changes.map(describeChange).join(', ');
  const bytes = entry.bytes === undefined ? '' : dim(` ${entry.bytes} B`);
  return `${mark}  ${time}  ${entry.tool.padEnd(toolWidth)}  ${outcome}  ${what}${bytes}  ${dim(`by ${entry.who}`)}`;
}

function describeChange(change: NonNullable<ActivityEntry['changes']>[number]): string {
  const verb = { create: 'created', update: 'changed', delete: 'deleted', move: 'moved', mkdir: 'made' }[change.kind];
  // Names are an agent's own choice; undo needs them as they are, a terminal must not get them so.
  const [path, to] = [clean(change.path), change.to === undefined ? '' : ` → ${clean(change.to)}`];
  return `${verb} ${path}${to}${change.kind === 'mkdir' ? '/' : ''}`;
}
