import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const MAX_PAGE = 200;

/** The audit log, for admins. */
export const auditRoutes = defineRoutes('Users', {
  listAuditEvents: {
    route: 'GET /api/v1/audit',
    summary: 'List the audit log, the newest event first, in pages',
    access: 'admin',
    query: z.object({
      /** Only events of this user. */
      user: z.string().max(100).optional(),
      /** Only events of this action. */
      action: z.string().max(100).optional(),
      /** `nextCursor` of the page before. */
      cursor: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
    }),
    response: z.strictObject({
      events: z.array(
        z.strictObject({
          id: z.number().int(),
          at: z.string(),
          /** The operation id of the route, such as `deleteFlow`, or `signIn`. */
          action: z.string(),
          /** `ok`, or the code of the refusal. */
          outcome: z.string(),
          /** Null: the caller was not signed in. */
          userId: z.string().nullable(),
          /** Null also after the user was removed. */
          userName: z.string().nullable(),
          /** How the caller was identified, such as `session` or `key`. */
          via: z.string().nullable(),
          address: z.string().nullable(),
          /** The first ids or paths that the action is about. */
          targets: z.array(z.string()),
          targetCount: z.number().int(),
          /** The changed fields, such as `password` or `role=admin`. */
          changes: z.array(z.string()),
        }),
      ),
      nextCursor: z.string().nullable(),
    }),
  },
  listAuditActions: {
    route: 'GET /api/v1/audit-actions',
    summary: 'List the actions that the audit log records',
    access: 'admin',
    response: z.strictObject({ actions: z.array(z.string()) }),
  },
});
