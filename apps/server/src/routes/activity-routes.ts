import type { ActingFlow, ActivityEntry } from '@croft/tools';
import type { Settings } from '../config/settings.ts';
import { activityRoutes } from '../contract/activity-routes.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { AllRuns } from '../flow-runs/all-runs.ts';
import { isChangeOf, namespacesOf, undoStateOf } from '../files/undoable-changes.ts';
import { type Route, route } from './route.ts';

const MAX_CHANGES = 20;
const MAX_PATHS = 3;
/** They change a reserved directory, so that their entries have no changes. */
const OF_COMPONENTS: ReadonlySet<string> = new Set(['save_component', 'generate_component', 'remove_component']);

/** Lists the latest changes of the caller's files. In files shared with other users, only the caller's own changes. */
export function makeActivityRoutes({
  allRuns,
  files,
  settings,
}: {
  readonly allRuns: Pick<AllRuns, 'kept'>;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly settings: Pick<Settings, 'autoLogin'>;
}): Route[] {
  return [
    route(activityRoutes.listRecentChanges, async ({ caller: { userId }, query: { run, path } }) => {
      const tree = files.open(userId);
      const found = namespacesOf(tree).flatMap(({ namespace, readOnly, folder }) =>
        namespace.activity
          .entries()
          .filter(({ actor }) => namespace === tree.top || actor.userId === userId)
          .map((entry) => ({ namespace, readOnly, folder, entry })),
      );
      const undone = new Set(found.flatMap(({ entry }) => entry.undoes ?? []));
      const rights = { userId, autoLogin: settings.autoLogin, undone };
      const latest = found
        .filter(
          ({ entry }) => entry.outcome === 'ok' && ((entry.changes?.length ?? 0) > 0 || OF_COMPONENTS.has(entry.tool)),
        )
        .filter(({ entry }) => run === undefined || entry.actor.flow?.runId === run)
        .filter((each) => path === undefined || isChangeOf(path, each))
        .sort((a, b) => b.entry.time.localeCompare(a.entry.time))
        .slice(0, MAX_CHANGES);
      const runs = latest.flatMap(({ entry }) => entry.actor.flow?.runId ?? []);
      const kept = await allRuns.kept(userId, [...new Set(runs)]);
      const changes = latest.map(async (each) => ({
        ...shownChange(each.entry, kept),
        ...(await undoStateOf(each, rights)),
      }));
      return { changes: await Promise.all(changes) };
    }),
  ];
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
