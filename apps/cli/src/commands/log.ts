import {
  type Activity,
  type ActivityEntry,
  actorName,
  openActivity,
  reconcile,
  selectUndo,
  undoneIds,
} from '@croft/tools';
import { croftBaseDir, openWorkspace, WorkspaceError } from '@croft/workspace';
import type { Command } from 'commander';
import { chosenWorkspace, type WorkspaceChoice } from '../compose/chosen-workspace.ts';
import { palette } from '../render/colours.ts';
import { printableJson, printableName } from '../render/printable.ts';
import { parseCount } from './serving-flags.ts';

/** Help text for `--dir` of `log` and `undo`. */
export const WORKSPACE_HELP = 'the workspace (default: the current directory, or the nearest above it with activity)';

/** Adds `croft log`, which shows calls in a workspace, newest last. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .summary('show what agents did in a workspace')
    .description(
      'Shows what agents did in a workspace, newest last. The number in front of a change is its number for `croft undo`: `croft undo 3` undoes 1 to 3, `croft undo --only 3` only number 3. A change that was undone says so and has no number.',
    )
    .option('--dir <dir>', WORKSPACE_HELP)
    .option('--user <id>', "this user's own namespace instead")
    .option('--limit <n>', 'most entries to show', parseCount, 50)
    .option('--changes', 'only calls that changed something')
    .option('--json', 'print one JSON object per line')
    .action((flags: WorkspaceChoice & { limit: number; changes?: boolean; json?: boolean }) => {
      const { entries, dropped, root } = readActivity(flags);
      const chosen = entries
        .filter((entry) => !flags.changes || entry.changes !== undefined)
        .slice(flags.limit === 0 ? Number.POSITIVE_INFINITY : -flags.limit);
      const undone = undoneIds(entries);
      if (flags.json) {
        for (const entry of chosen)
          process.stdout.write(`${printableJson({ ...entry, ...(undone.has(entry.id) && { undone: true }) })}\n`);
        if (droppedNote(dropped) !== undefined) process.stderr.write(`croft: ${droppedNote(dropped)}\n`);
        return;
      }
      if (chosen.length === 0) {
        process.stdout.write(`No activity in ${printableName(root)} yet.\n`);
        return;
      }
      const note = droppedNote(dropped);
      if (note !== undefined) process.stdout.write(`${note}\n`);
      const order = undoOrder(entries);
      const width = Math.max(4, ...chosen.map((entry) => entry.tool.length));
      for (const entry of chosen)
        process.stdout.write(`${renderEntry(entry, order.get(entry.id), width, undone.has(entry.id))}\n`);
    });
}

interface LoggedActivity {
  readonly entries: readonly ActivityEntry[];
  readonly dropped: DroppedEntries;
  readonly root: string;
}

type DroppedEntries = ReturnType<Activity['dropped']>;

function readActivity(choice: WorkspaceChoice): LoggedActivity {
  const baseDir = croftBaseDir();
  const root = chosenWorkspace(choice, baseDir);
  const activity = openActivity(baseDir, root);
  correctRecords(activity, root, baseDir);
  return { entries: activity.entries(), dropped: activity.dropped(), root };
}

/** Takes changes that a killed process did not make out of the log, so that its numbers are those of `croft undo`. */
function correctRecords(activity: Activity, root: string, baseDir: string): void {
  if (activity.abandonedSessions().length === 0) return;
  try {
    const workspace = openWorkspace(root, { baseDir, readOnly: true, denyList: false });
    reconcile(workspace, activity);
    workspace.close();
    activity.close();
  } catch (error) {
    // The directory no longer exists: show the log without correction.
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

/** One sentence about entries that the log dropped because of its bounds; `undefined` if it dropped none. */
export function droppedNote({ changes, reads }: DroppedEntries): string | undefined {
  const parts = [
    ...(changes > 0 ? [`${changes} older ${changes === 1 ? 'change' : 'changes'}, which cannot be undone`] : []),
    ...(reads > 0 ? [`${reads} older ${reads === 1 ? 'call' : 'calls'} that changed nothing`] : []),
  ];
  return parts.length === 0 ? undefined : `No longer in the log: ${parts.join('; ')}.`;
}

/** The position of each call that can still be undone; 1 is the newest. */
export function undoOrder(entries: readonly ActivityEntry[]): ReadonlyMap<string, number> {
  return new Map(selectUndo(entries, { count: Number.POSITIVE_INFINITY }).map((entry, i) => [entry.id, i + 1]));
}

/** Renders one entry as one line. */
export function renderEntry(
  entry: ActivityEntry,
  position: number | undefined,
  toolWidth: number,
  isUndone = false,
): string {
  const { dim, red, green, bold } = palette(process.stdout);
  const mark = position === undefined ? '    ' : bold(String(position).padStart(4));
  const time = dim(entry.time.slice(0, 19).replace('T', ' '));
  const outcome = isUndone ? dim('undone') : entry.outcome === 'ok' ? green('ok') : red(printableName(entry.outcome));
  const what = entry.changes === undefined ? aimOf(entry) : entry.changes.map(describeChange).join(', ');
  const bytes = entry.bytes === undefined ? '' : dim(` ${entry.bytes} B`);
  return `${mark}  ${time}  ${printableName(entry.tool).padEnd(toolWidth)}  ${outcome}  ${what}${bytes}  ${dim(`by ${printableName(actorName(entry.actor))}`)}`;
}

/** The paths of a call; `.` for a call without paths, which is about the whole workspace. */
export function namesOf({ paths, morePaths = 0 }: ActivityEntry): string {
  const more = morePaths > 0 ? ` and ${morePaths} more` : '';
  return paths.length === 0 ? '.' : paths.map(printableName).join(' → ') + more;
}

/** The pattern and paths of a call that changed nothing. */
function aimOf(entry: ActivityEntry): string {
  return entry.pattern === undefined ? namesOf(entry) : `"${printableName(entry.pattern)}" in ${namesOf(entry)}`;
}

function describeChange(change: NonNullable<ActivityEntry['changes']>[number]): string {
  const verb = {
    create: 'created',
    update: 'changed',
    append: 'added to',
    delete: 'deleted',
    move: 'moved',
    mkdir: 'made',
  }[change.kind];
  // Agents choose names, so a terminal gets them escaped. Undo needs the unescaped names.
  const [path, to] = [printableName(change.path), change.to === undefined ? '' : ` → ${printableName(change.to)}`];
  return `${verb} ${path}${to}${change.kind === 'mkdir' ? '/' : ''}`;
}
