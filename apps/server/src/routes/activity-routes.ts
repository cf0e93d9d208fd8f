import type { ActivityEntry } from '@croft/tools';
import { activityRoutes } from '../contract/activity-routes.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { type Route, route } from './route.ts';

const MAX_CHANGES = 20;
const MAX_PATHS = 3;

/** Lists the latest changes of the caller's files. In files shared with other users, only the caller's own changes. */
export function makeActivityRoutes({ files }: { readonly files: Pick<FilesOfCallers, 'open'> }): Route[] {
  return [
    route(activityRoutes.listRecentChanges, ({ caller }) => {
      const { top, mounts } = files.open(caller.userId);
      const isOwn = ({ actor }: ActivityEntry) => actor.userId === caller.userId;
      const changes = [
        ...top.activity.entries(),
        ...mounts.flatMap(({ namespace }) => namespace.activity.entries().filter(isOwn)),
      ]
        .filter(({ changes: made, outcome }) => outcome === 'ok' && made !== undefined && made.length > 0)
        .sort((a, b) => b.time.localeCompare(a.time))
        .slice(0, MAX_CHANGES)
        .map(shownChange);
      return { changes };
    }),
  ];
}

function shownChange({ id, time, actor, tool, paths, morePaths = 0 }: ActivityEntry) {
  const { via, client } = actor;
  const shown = paths.slice(0, MAX_PATHS);
  return { id, time, via, client, tool, paths: shown, morePaths: morePaths + paths.length - shown.length };
}
