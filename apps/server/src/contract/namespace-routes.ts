import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const sharedMount = z.strictObject({ mode: z.enum(['off', 'read', 'write']) });

/** Where the trees of users are, and the shared files in them; for admins. */
export const namespaceRoutes = defineRoutes('Namespaces', {
  describeNamespace: {
    route: 'GET /api/v1/namespace',
    summary: "Get the directory of a user's files, and whether a call can open it",
    access: 'admin',
    query: z.object({ user: z.string().min(1).max(200).optional() }),
    response: z.strictObject({
      auto_login: z.boolean(),
      mode: z.enum(['shared', 'isolated']),
      effective_root: z.string().nullable(),
      resolution_error: z.string().nullable(),
    }),
    errors: ['not_found'],
  },
});

/** On servers with accounts. Without accounts the shared files are the tree itself. */
export const sharedMountRoutes = defineRoutes('Namespaces', {
  getSharedMount: {
    route: 'GET /api/v1/shared-mount',
    summary: 'Get the mode of the shared files: off, read or write',
    access: 'admin',
    response: sharedMount,
  },
  setSharedMount: {
    route: 'PUT /api/v1/shared-mount',
    audit: true,
    summary: "Mount the shared files as shared/ in every user's tree: off, read or write",
    access: 'admin-session',
    body: z.strictObject({ mode: z.enum(['off', 'read', 'write']) }),
    response: sharedMount,
  },
});
