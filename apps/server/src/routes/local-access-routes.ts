import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isPassedOn } from '../edge/addresses.ts';
import { openTo } from '../exposure.ts';
import { createDirectoryPicker } from '../files/directory-picker.ts';
import type { Caller } from '../identity.ts';
import type { Parts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { isLocalUser } from './account-routes.ts';
import type { Endpoints } from './endpoint.ts';

const localAccess = z.object({
  state: z.enum(['off', 'setup', 'on']),
  directory: z.string().nullable(),
  canChange: z.boolean(),
});
const directoryPath = z.string().min(1).max(4_096);

/** Whether agents may read files of the server's own machine, and the way a person says so. */
export function addLocalAccessRoutes(endpoints: Endpoints, parts: Parts): void {
  const picker = createDirectoryPicker(parts.settings.baseDir);
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/local-access',
      summary: "Whether agents may read files of the server's own machine",
      access: 'admin',
      answer: localAccess,
    },
    () => parts.localAccess.state(),
  );
  endpoints.add(
    {
      method: 'put',
      path: '/api/v1/local-access',
      summary: 'Pick the directory they may read, or take it back with null',
      access: 'session',
      body: z.object({ directory: directoryPath.nullable() }),
      answer: localAccess,
    },
    ({ caller, body }) => {
      requireLocalUser(caller);
      const state = parts.localAccess.choose(body.directory);
      picker.end();
      return state;
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/local-access/picking',
      summary: 'Begin to pick that directory: for ten minutes, or until one is picked, its page is shown directories',
      access: 'session',
      body: z.object({}),
      answer: z.object({ picking: z.string() }),
    },
    ({ caller, context }) => {
      requirePicking(caller, context.env.incoming, parts);
      return { picking: picker.begin() };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/local-access/directories',
      summary: "Names of the directories in a directory of the server's own machine, while one is picked",
      access: 'session',
      body: z.object({ picking: z.string().min(1).max(100), path: directoryPath.optional() }),
      answer: z.object({
        path: z.string(),
        parent: z.string().nullable(),
        directories: z.array(z.string()),
        truncated: z.boolean(),
      }),
    },
    ({ caller, context, body }) => {
      requirePicking(caller, context.env.incoming, parts);
      return picker.list(body.picking, body.path);
    },
  );
}

function requireLocalUser({ userId, via }: Caller): void {
  if (via !== 'local' || !isLocalUser(userId))
    throw new Problem(403, 'forbidden', 'Only the local user of a server without accounts can do this.');
}

/**
 * Directories are shown to the one who sits at this machine: the local user in a browser, of a server that listens on
 * loopback alone, while nothing is picked. Where a proxy stands between, trusted or not, nobody knows who sits where.
 */
function requirePicking(caller: Caller, request: IncomingMessage, parts: Parts): void {
  requireLocalUser(caller);
  const isHere = !isPassedOn(request) && openTo(parts.settings) === undefined;
  if (!isHere)
    throw new Problem(403, 'forbidden', 'Directories are shown on this machine alone. Type the path instead.');
  if (parts.localAccess.state().state !== 'setup')
    throw new Problem(
      409,
      'cannot_change',
      'There is nothing to pick: turn off what is on first, if it can be changed.',
    );
}
