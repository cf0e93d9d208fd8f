import {
  type Activity,
  type ActivityEntry,
  actorName,
  openActivity,
  openChangeDiffs,
  reconcile,
  selectUndo,
  undoneIds,
} from '@croft/tools';
import { croftBaseDir, openWorkspace, type Workspace, WorkspaceError } from '@croft/workspace';
import { chosenWorkspace, type WorkspaceChoice } from '../compose/chosen-workspace.ts';
import { showTime } from '../local-time.ts';
import { palette } from '../render/colours.ts';
import { renderChangeDiffs } from '../render/change-diffs.ts';
import { printableJson, printableName } from '../render/printable.ts';

export interface LogFlags extends WorkspaceChoice {
  readonly limit: number;
  readonly changes?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
}

/** Shows calls in a workspace, newest last. */
export async function runLog(flags: LogFlags): Promise<void> {
  const activity = readActivity(flags);
  const workspace = flags.diff && activity.entries.length > 0 ? openToCompare(activity) : undefined;
  try {
    await printLog(activity, flags, workspace && openChangeDiffs(workspace, activity.entries));
  } finally {
    workspace?.close();
  }
}

async function printLog(
  { entries, dropped, root }: LoggedActivity,
  flags: LogFlags,
  readDiffs: ReturnType<typeof openChangeDiffs> | undefined,
): Promise<void> {
  const chosen = entries
    .filter((entry) => !flags.changes || entry.changes !== undefined)
    .slice(flags.limit === 0 ? Number.POSITIVE_INFINITY : -flags.limit);
  const undone = undoneIds(entries);
  const note = droppedNote(dropped);
  if (flags.json) {
    for (const entry of chosen) {
      const more = {
        ...(undone.has(entry.id) && { undone: true }),
        ...(readDiffs && { diffs: await readDiffs(entry) }),
      };
      process.stdout.write(`${printableJson({ ...entry, ...more })}\n`);
    }
    if (note !== undefined) process.stderr.write(`croft: ${note}\n`);
    return;
  }
  if (chosen.length === 0) {
    process.stdout.write(`No activity in ${printableName(root)} yet.\n`);
    return;
  }
  if (note !== undefined) process.stdout.write(`${note}\n`);
  const order = undoOrder(entries);
  const width = Math.max(4, ...chosen.map((entry) => entry.tool.length));
  for (const entry of chosen) {
    process.stdout.write(`${renderEntry(entry, order.get(entry.id), width, undone.has(entry.id))}\n`);
    if (readDiffs) process.stdout.write(renderChangeDiffs(await readDiffs(entry), palette(process.stdout)));
  }
}

interface LoggedActivity {
  readonly entries: readonly ActivityEntry[];
  readonly dropped: DroppedEntries;
  readonly root: string;
  readonly trashDir: string;
}

type DroppedEntries = ReturnType<Activity['dropped']>;

function readActivity(choice: WorkspaceChoice): LoggedActivity {
  const baseDir = croftBaseDir();
  const root = chosenWorkspace(choice, baseDir);
  const activity = openActivity(baseDir, root);
  correctRecords(activity, root, baseDir);
  return { entries: activity.entries(), dropped: activity.dropped(), root, trashDir: activity.trashDir };
}

/** Opens the workspace for reading. The user runs the command, so it compares protected files too. */
const openToCompare = ({ root, trashDir }: LoggedActivity): Workspace =>
  openWorkspace(root, { baseDir: croftBaseDir(), readOnly: true, denyList: false, trashDir });

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
  const time = dim(showTime(entry.time));
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
