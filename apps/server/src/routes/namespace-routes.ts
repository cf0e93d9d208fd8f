import { z } from 'zod';
import type { Parts } from '../parts.ts';
import { notFound } from '../problem.ts';
import { getUser } from '../store/users.ts';
import type { Endpoints } from './endpoint.ts';

const sharedMount = z.object({ mode: z.enum(['off', 'read', 'write']) });

/** Shows an admin where the users' trees are, and mounts the shared files in them. */
export function addNamespaceRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/namespace',
      summary: "Where a user's files are and whether they can be opened, tried as a call tries it",
      access: 'admin',
      query: z.object({ user: z.string().min(1).max(200).optional() }),
      answer: z.object({
        auto_login: z.boolean(),
        mode: z.enum(['shared', 'isolated']),
        effective_root: z.string().nullable(),
        resolution_error: z.string().nullable(),
      }),
    },
    async ({ caller, query }) => {
      const userId = query.user ?? caller.userId;
      if (userId !== caller.userId && (await getUser(await parts.storage(), userId)) === undefined)
        throw notFound('There is no such user.');
      return parts.files.describe(userId);
    },
  );
  // Without accounts the shared files are the tree itself.
  if (parts.settings.autoLogin) return;
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/shared-mount',
      summary: 'Whether users see the shared files as shared/, and whether they may change them',
      access: 'admin',
      answer: sharedMount,
    },
    () => ({ mode: parts.sharedMount.mode() }),
  );
  endpoints.add(
    {
      method: 'put',
      path: '/api/v1/shared-mount',
      summary: "Mount the shared files as shared/ in every user's tree: off, read or write",
      access: 'admin-session',
      body: sharedMount,
      answer: sharedMount,
    },
    ({ body }) => {
      parts.sharedMount.set(body.mode);
      parts.events.sendAll({ event: 'files', data: {} });
      return { mode: body.mode };
    },
  );
}
