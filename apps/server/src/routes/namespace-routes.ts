import type { Settings } from '../config/settings.ts';
import { namespaceRoutes, sharedMountRoutes } from '../contract/namespace-routes.ts';
import type { EventStreams } from '../events.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { SharedMount } from '../files/shared-mount.ts';
import type { Db } from '../store/database.ts';
import { getUser } from '../store/users.ts';
import { type Route, route } from './route.ts';

export interface NamespaceRouteOptions {
  readonly events: Pick<EventStreams, 'sendAll'>;
  readonly files: Pick<FilesOfCallers, 'describe'>;
  readonly settings: Pick<Settings, 'autoLogin'>;
  readonly sharedMount: SharedMount;
  readonly storage: () => Promise<Db>;
}

/** Shows an admin where the users' trees are, and mounts the shared files in them. */
export function makeNamespaceRoutes({ events, files, settings, sharedMount, storage }: NamespaceRouteOptions): Route[] {
  const describe = route(namespaceRoutes.describeNamespace, async ({ caller, query, problem }) => {
    const userId = query.user ?? caller.userId;
    if (userId !== caller.userId && (await getUser(await storage(), userId)) === undefined)
      throw problem('not_found', 'There is no such user.');
    return files.describe(userId);
  });
  // Without accounts the shared files are the tree itself.
  if (settings.autoLogin) return [describe];
  return [
    describe,
    route(sharedMountRoutes.getSharedMount, () => ({ mode: sharedMount.mode() })),
    route(sharedMountRoutes.setSharedMount, ({ body }) => {
      sharedMount.set(body.mode);
      events.sendAll({ event: 'files', data: {} });
      return { mode: body.mode };
    }),
  ];
}
