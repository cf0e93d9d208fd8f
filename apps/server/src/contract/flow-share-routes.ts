import { z } from 'zod';
import { defineRoutes } from './define-route.ts';
import { flowVersion } from './flow-fields.ts';

const access = z.enum(['read', 'edit']);
const share = z.strictObject({ userId: z.string(), name: z.string(), email: z.string(), access });

const acceptance = z.strictObject({
  version: flowVersion,
  /** Null: no version. */
  accepted: flowVersion.nullable(),
  /** The name of the other user who changed the flow last; null where no other user did. */
  changedBy: z.string().nullable(),
});

/**
 * Sharing a flow with other users of the server. Changes need a session: a share outlives a leaked key that was revoked.
 */
export const flowShareRoutes = defineRoutes('Flows', {
  listFlowShares: {
    route: 'GET /api/v1/flows/{id}/shares',
    summary: 'List the users with whom you share a flow',
    access: 'caller',
    response: z.strictObject({ shares: z.array(share) }),
    errors: ['forbidden', 'newer_version', 'not_found'],
  },
  shareFlow: {
    route: 'PUT /api/v1/flows/{id}/shares',
    audit: true,
    summary: 'Let another user read or edit your flow, or change which of the two',
    access: 'session',
    body: z.strictObject({ user: z.string().trim().min(1, 'give a name or an e-mail address').max(320), access }),
    response: z.strictObject({ share }),
    errors: ['not_found', 'quota_exceeded'],
  },
  unshareFlow: {
    route: 'DELETE /api/v1/flows/{id}/shares/{user}',
    summary: 'Stop sharing your flow with a user, or leave a flow that is shared with you. Works at once',
    access: 'session',
    response: z.strictObject({ userId: z.string() }),
    errors: ['newer_version', 'not_found'],
  },
  getFlowAcceptance: {
    route: 'GET /api/v1/flows/{id}/acceptance',
    summary: 'The version of a flow, and the one that you accept for sub-flows, schedules, webhooks and public links',
    access: 'caller',
    response: acceptance,
    errors: ['not_found'],
  },
  acceptFlow: {
    route: 'PUT /api/v1/flows/{id}/acceptance',
    audit: true,
    summary:
      'Accept the version of a flow that you checked: your sub-flows, schedules, webhooks and public links may run it',
    access: 'session',
    body: z.strictObject({ version: flowVersion }),
    response: acceptance,
    errors: ['changed', 'not_found'],
  },
});
