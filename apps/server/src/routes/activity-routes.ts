import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ActingFlow, type ActivityEntry, type FileDiff, openChangeDiffs } from '@croft/tools';
import type { Settings } from '../config/settings.ts';
import { activityRoutes } from '../contract/activity-routes.ts';
import type { CallerFiles, FilesOfCallers } from '../files/caller-files.ts';
import type { AllRuns } from '../flow-runs/all-runs.ts';
import type { Namespace } from '../files/namespaces.ts';
import { type FoundChange, isChangeOf, namespacesOf, undoStateOf } from '../files/undoable-changes.ts';
import { createOneAtATime } from '../one-at-a-time.ts';
import { type Route, route } from './route.ts';

const PAGE_SIZE = 20;
const MAX_PATHS = 3;
/** They change a reserved directory, so that their entries have no changes. */
const OF_COMPONENTS: ReadonlySet<string> = new Set(['save_component', 'generate_component', 'remove_component']);

/** Lists and compares the changes of the caller's files. In files shared with other users, only the caller's own changes. */
export function makeActivityRoutes({
  allRuns,
  files,
  settings,
}: {
  readonly allRuns: Pick<AllRuns, 'kept'>;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly settings: Pick<Settings, 'autoLogin'>;
}): Route[] {
  // Each request parses the log of the caller. Those of one caller take turns, and other requests come between them.
  const turns = createOneAtATime();
  const inTurn = <Result>(userId: string, read: () => Promise<Result>): Promise<Result> =>
    turns.take(userId, async () => {
      await nextTurn();
      return read();
    });
  return [
    route(activityRoutes.listRecentChanges, ({ caller: { userId }, query: { run, path, cursor } }) =>
      inTurn(userId, async () => {
        const found = changesOf(files.open(userId), userId);
        const undone = new Set(found.flatMap(({ entry }) => entry.undoes ?? []));
        const rights = { userId, autoLogin: settings.autoLogin, undone };
        const all = found
          .filter(
            ({ entry }) =>
              entry.outcome === 'ok' && ((entry.changes?.length ?? 0) > 0 || OF_COMPONENTS.has(entry.tool)),
          )
          .filter(({ entry }) => run === undefined || entry.actor.flow?.runId === run)
          .filter((each) => path === undefined || isChangeOf(path, each))
          .sort((a, b) => b.entry.time.localeCompare(a.entry.time));
        const at = all.findIndex(({ entry }) => entry.id === cursor);
        // The log has dropped the last change of the page before, and those after it, which are older.
        if (cursor !== undefined && at < 0) return { nextCursor: null, changes: [] };
        const shown = all.slice(at + 1, at + 1 + PAGE_SIZE);
        const runs = shown.flatMap(({ entry }) => entry.actor.flow?.runId ?? []);
        const kept = await allRuns.kept(userId, [...new Set(runs)]);
        const changes = shown.map(async (each) => ({
          ...shownChange(each.entry, kept),
          ...(await undoStateOf(each, rights)),
        }));
        const isLast = at + 1 + PAGE_SIZE >= all.length;
        return { nextCursor: isLast ? null : (shown.at(-1)?.entry.id ?? null), changes: await Promise.all(changes) };
      }),
    ),
    route(activityRoutes.readChangeDiff, ({ caller: { userId }, params: { id }, problem }) =>
      inTurn(userId, async () => {
        const tree = files.open(userId);
        for (const { namespace, folder } of namespacesOf(tree)) {
          const entries = namespace.activity.entries();
          const entry = entries.find((each) => each.id === id && isListed(each, namespace, tree, userId));
          if (entry === undefined) continue;
          const diffs = await openChangeDiffs(namespace.workspace, entries)(entry);
          return { ...diffs, files: diffs.files.map((file) => shownDiff(file, folder)) };
        }
        throw problem('not_found', 'There is no change with this id.');
      }),
    ),
  ];
}

/** The entries of a caller's tree. In files shared with other users, only the caller's own. */
function changesOf(tree: CallerFiles, userId: string): FoundChange[] {
  return namespacesOf(tree).flatMap(({ namespace, readOnly, folder }) => {
    const entries = namespace.activity.entries();
    return entries
      .filter((entry) => isListed(entry, namespace, tree, userId))
      .map((entry) => ({ namespace, readOnly, folder, entry, entries }));
  });
}

function isListed({ actor }: ActivityEntry, namespace: Namespace, tree: CallerFiles, userId: string): boolean {
  return namespace === tree.top || actor.userId === userId;
}

function shownDiff({ path, to, diff, problem, ...file }: FileDiff, folder: string) {
  return {
    ...file,
    path: `${folder}${path}`,
    to: to === undefined ? null : `${folder}${to}`,
    diff: diff ?? null,
    problem: problem ?? null,
  };
}

function shownChange(
  { id, time, actor, tool, paths, changes, morePaths = 0 }: ActivityEntry,
  keptRuns: ReadonlySet<string>,
) {
  const { via, client, key = null } = actor;
  const flow = actor.flow ? shownFlow(actor.flow, keptRuns) : null;
  const shown = paths.slice(0, MAX_PATHS);
  // A file in a new folder comes after the folder.
  const kind = (changes?.find((change) => change.kind !== 'mkdir') ?? changes?.[0])?.kind ?? null;
  return {
    id,
    time,
    via,
    client,
    key,
    flow,
    tool,
    kind,
    paths: shown,
    morePaths: morePaths + paths.length - shown.length,
  };
}

function shownFlow({ id, name, runId }: ActingFlow, keptRuns: ReadonlySet<string>) {
  return { id: id ?? null, name, runId: runId ?? null, isRunKept: runId !== undefined && keptRuns.has(runId) };
}
