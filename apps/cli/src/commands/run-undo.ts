import {
  type Activity,
  type ActivityEntry,
  type Actor,
  foreseeUndo,
  openActivity,
  openChangeDiffs,
  reconcile,
  selectUndo,
  undoEntries,
  type UndoSelection,
} from '@croft/tools';
import { croftBaseDir, openWorkspace, type Workspace } from '@croft/workspace';
import { chosenWorkspace, type WorkspaceChoice } from '../compose/chosen-workspace.ts';
import { askPerson, EXIT_INTERRUPTED } from '../render/ask-person.ts';
import { parseTime } from '../local-time.ts';
import { palette } from '../render/colours.ts';
import { renderChangeDiffs } from '../render/change-diffs.ts';
import { printableJson, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { droppedNote, namesOf, renderEntry, undoOrder } from './run-log.ts';

const PERSON: Actor = { userId: null, via: 'cli', client: null };

export interface UndoFlags extends WorkspaceChoice {
  readonly only?: string;
  readonly since?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
}

/** Reverts changes of agents. */
export async function runUndo(n: string | undefined, flags: UndoFlags): Promise<void> {
  const selection = parseSelection(n, flags);
  const baseDir = croftBaseDir();
  const root = chosenWorkspace(flags, baseDir);
  const activity = openActivity(baseDir, root);
  // The user runs this command, so protected names can be restored too.
  const workspace = openWorkspace(root, {
    baseDir,
    trashDir: activity.trashDir,
    // The serving process enforces the bound. Here nothing may be dropped that the undo is about to restore.
    trashLimits: { maxBytes: Number.POSITIVE_INFINITY, maxItems: Number.POSITIVE_INFINITY },
    denyList: false,
  });
  try {
    reconcile(workspace, activity);
    // A killed process may have left a second name of an old version; no change of a file with two names is undone.
    await workspace.settled();
    await undoChosen(workspace, activity, selection, flags);
  } finally {
    workspace.close();
    activity.close();
  }
}

async function undoChosen(
  workspace: Workspace,
  activity: Activity,
  selection: ReturnType<typeof parseSelection>,
  flags: UndoFlags,
): Promise<void> {
  if (flags.diff && flags.json) throw new UsageError('--diff is for people: leave out --json');
  const entries = activity.entries();
  const readDiffs = flags.diff ? openChangeDiffs(workspace, entries) : undefined;
  const chosen = 'only' in selection ? selectOne(entries, selection.only) : selectUndo(entries, selection);
  if (chosen.length === 0) {
    const note = droppedNote({ ...activity.dropped(), reads: 0 });
    const text = note === undefined ? 'Nothing to undo.' : `Nothing to undo. ${note}`;
    process.stdout.write(flags.json ? '[]\n' : `${text}\n`);
    if (flags.json && note !== undefined) process.stderr.write(`croft: ${note}\n`);
    return;
  }
  if (flags.dryRun) {
    const foreseen = await foreseeUndo(workspace, activity, chosen);
    reportMissing(selection, chosen.length, activity);
    if (flags.json) process.stdout.write(outcomeJson(chosen.map((entry) => foreseenOutcome(entry, foreseen))));
    else await preview(chosen, undoOrder(entries), foreseen, readDiffs);
    return;
  }
  const problems = flags.json ? undefined : await foreseeUndo(workspace, activity, chosen);
  const possible = chosen.length - (problems?.size ?? 0);
  if (!flags.yes && possible > 0 && !process.stdin.isTTY)
    throw new UsageError('Add --yes to undo changes without a terminal');
  if (flags.yes) requireCount(selection, chosen.length, activity);
  reportMissing(selection, chosen.length, activity);
  const cancelled = new AbortController();
  // A second Ctrl-C ends the process at once. The next start then corrects the record.
  process.once('SIGINT', () => cancelled.abort());
  if (problems) await preview(chosen, undoOrder(entries), problems, readDiffs);
  if (!flags.yes && possible === 0) {
    process.stdout.write('Nothing can be undone, so nothing was changed.\n');
    process.exitCode = 1;
    return;
  }
  if (!flags.yes && !(await askPerson(`Undo ${countedOf(possible, chosen.length)}? [y/N] `))) {
    process.stdout.write('Nothing was changed.\n');
    return;
  }
  report(await undoEntries(workspace, activity, chosen, PERSON, { signal: cancelled.signal }), flags.json ?? false);
  if (cancelled.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
}

const countedOf = (possible: number, all: number): string =>
  all === 1 ? 'this change' : possible < all ? `${possible} of these ${all} changes` : `these ${all} changes`;

/**
 * Refuses a larger number than the log has: without a question, a mistyped number would undo everything.
 *
 * @throws UsageError
 */
function requireCount(selection: ReturnType<typeof parseSelection>, found: number, activity: Activity): void {
  if (!('count' in selection) || selection.count <= found) return;
  const note = droppedNote({ ...activity.dropped(), reads: 0 });
  throw new UsageError(
    `The log has ${found} of ${selection.count} changes that can be undone, so nothing was changed. To undo ${found === 1 ? 'it' : 'them'}: croft undo ${found} --yes${note === undefined ? '' : `. ${note}`}`,
  );
}

/** Reports on standard error that the log has fewer changes than requested. */
function reportMissing(selection: ReturnType<typeof parseSelection>, found: number, activity: Activity): void {
  const isShort = 'count' in selection && selection.count > found;
  if (!('sinceMs' in selection) && !isShort) return;
  const fewer = isShort ? `The log has ${found} of ${selection.count} changes that can be undone.` : undefined;
  const note = droppedNote({ ...activity.dropped(), reads: 0 }) ?? fewer;
  if (note !== undefined) process.stderr.write(`croft: ${note}\n`);
}

/** Prints the changes to undo, and which of them cannot be undone. */
async function preview(
  chosen: readonly ActivityEntry[],
  order: ReadonlyMap<string, number>,
  problems: ReadonlyMap<string, string>,
  readDiffs: ReturnType<typeof openChangeDiffs> | undefined,
): Promise<void> {
  const paint = palette(process.stdout);
  for (const entry of chosen) {
    const problem = problems.get(entry.id);
    process.stdout.write(`${renderEntry(entry, order.get(entry.id), 11)}\n`);
    if (problem !== undefined)
      process.stdout.write(`      ${paint.red('will be left alone')}: ${printableName(problem)}\n`);
    if (readDiffs) process.stdout.write(renderChangeDiffs(await readDiffs(entry), paint));
  }
}

type Outcome = Awaited<ReturnType<typeof undoEntries>>;

function foreseenOutcome(entry: ActivityEntry, problems: ReadonlyMap<string, string>): Outcome[number] {
  const problem = problems.get(entry.id);
  return problem === undefined ? { entry, ok: true } : { entry, ok: false, problem };
}

const outcomeJson = (outcome: Outcome): string =>
  `${printableJson(outcome.map(({ entry, ok, problem }) => ({ id: entry.id, tool: entry.tool, paths: entry.paths, ok, problem })))}\n`;

function report(outcome: Outcome, json: boolean): void {
  if (json) process.stdout.write(outcomeJson(outcome));
  const { green, red } = palette(process.stdout);
  for (const { entry, ok, problem } of outcome) {
    if (!json)
      process.stdout.write(
        `${ok ? green('undone    ') : red('left alone')}  ${printableName(entry.tool)} ${namesOf(entry)}${problem === undefined ? '' : `: ${printableName(problem)}`}\n`,
      );
    if (!ok) process.exitCode = 1;
  }
}

/** Finds the change that `croft log` shows with this number. */
function selectOne(entries: readonly ActivityEntry[], number: number): readonly ActivityEntry[] {
  const all = selectUndo(entries, { count: Number.POSITIVE_INFINITY });
  const entry = all[number - 1];
  if (entry === undefined && all.length > 0)
    throw new UsageError(`There is no change ${number}: croft log numbers them 1 to ${all.length}`);
  return entry === undefined ? [] : [entry];
}

function parseSelection(n: string | undefined, { since, only }: UndoFlags): UndoSelection | { readonly only: number } {
  if (n !== undefined && since !== undefined) throw new UsageError('Give a number or --since, not both');
  if (only !== undefined && (n !== undefined || since !== undefined))
    throw new UsageError('--only undoes one change; leave out the number of changes and --since');
  if (only !== undefined) {
    if (!/^[1-9]\d*$/.test(only)) throw new UsageError(`Not the number of a change: ${only}`);
    return { only: Number(only) };
  }
  if (since !== undefined) return { sinceMs: parseTime(since) };
  if (n === undefined) return { count: 1 };
  if (!/^[1-9]\d*$/.test(n)) throw new UsageError(`Not a number of changes: ${n}`);
  return { count: Number(n) };
}
