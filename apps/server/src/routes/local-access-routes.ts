import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { localAccessRoutes } from '../contract/local-access-routes.ts';
import { isPassedOn } from '../edge/addresses.ts';
import { openTo } from '../exposure.ts';
import { createDirectoryPicker } from '../files/directory-picker.ts';
import type { LocalAccess } from '../files/local-access.ts';
import type { Caller } from '../identity.ts';
import { isLocalUser } from '../store/users.ts';
import { problem, type Route, route } from './route.ts';

export interface LocalAccessRouteOptions {
  readonly localAccess: Pick<LocalAccess, 'state' | 'choose'>;
  readonly settings: Pick<Settings, 'baseDir' | 'host' | 'publicUrl'>;
}

/** Whether agents may read files of the server's own machine, and how the local user chooses the directory. */
export function makeLocalAccessRoutes(options: LocalAccessRouteOptions): Route[] {
  const { localAccess, settings } = options;
  const picker = createDirectoryPicker(settings.baseDir);
  return [
    route(localAccessRoutes.getLocalAccess, () => localAccess.state()),
    route(localAccessRoutes.setLocalDirectory, ({ caller, body }) => {
      requireLocalUser(caller);
      const state = localAccess.choose(body.directory);
      picker.end();
      return state;
    }),
    route(localAccessRoutes.beginPicking, ({ caller, incoming }) => {
      requirePicking(caller, incoming, options);
      return { picking: picker.begin() };
    }),
    route(localAccessRoutes.listDirectories, ({ caller, incoming, body }) => {
      requirePicking(caller, incoming, options);
      return picker.list(body.picking, body.path);
    }),
  ];
}

function requireLocalUser({ userId, via }: Caller): void {
  if (via !== 'local' || !isLocalUser(userId))
    throw problem('forbidden', 'Only the local user of a server without accounts can do this.');
}

/**
 * Directories are listed only for the local user in a browser, on a server that listens on loopback alone, while none is
 * chosen. A request through a proxy is refused, trusted or not: the user may be on another machine.
 */
function requirePicking(caller: Caller, request: IncomingMessage, options: LocalAccessRouteOptions): void {
  requireLocalUser(caller);
  if (isPassedOn(request) || openTo(options.settings) !== undefined)
    throw problem('forbidden', 'Directories are shown on this machine alone. Type the path instead.');
  if (options.localAccess.state().state !== 'setup')
    throw problem('cannot_change', 'No directory can be chosen now. If one is in use, remove it first.');
}
