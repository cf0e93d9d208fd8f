import { z } from 'zod';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';
import { defineRoutes } from './define-route.ts';
import { displayName } from './user-fields.ts';
import { EDIT_ERRORS, flowBase, flowChange, flowDocument, flowVersion } from './flow-fields.ts';

const point = z.strictObject({
  id: z.string(),
  name: z.string(),
  version: flowVersion,
  /** The name of the user who made it. Null: that user was removed. */
  author: z.string().nullable(),
  bytes: z.number(),
  createdAt: z.string(),
});

/** Kept documents of a flow. A client compares two documents itself. */
export const restorePointRoutes = defineRoutes('Flows', {
  listRestorePoints: {
    route: 'GET /api/v1/flows/{id}/restore-points',
    summary: 'List the restore points of a flow, newest first',
    access: 'caller',
    response: z.strictObject({ restorePoints: z.array(point) }),
    errors: ['newer_version', 'not_found'],
  },
  createRestorePoint: {
    route: 'POST /api/v1/flows/{id}/restore-points',
    summary: `Keep the present document of a flow, to come back to. A flow has at most ${FLOW_LIMITS.restorePoints}`,
    access: 'caller',
    body: z.strictObject({ name: displayName }),
    response: z.strictObject({ restorePoint: point }),
    status: 201,
    errors: ['newer_version', 'not_found', 'quota_exceeded', 'read_only'],
  },
  getRestorePoint: {
    route: 'GET /api/v1/flows/{id}/restore-points/{point}',
    summary: 'Read a restore point with its document',
    access: 'caller',
    response: z.strictObject({ restorePoint: point.extend({ document: flowDocument }) }),
    errors: ['newer_version', 'not_found'],
  },
  restoreFlow: {
    route: 'POST /api/v1/flows/{id}/restore-points/{point}/restore',
    summary: 'Give a flow the document of a restore point. This is one edit, which can be undone',
    access: 'caller',
    body: flowBase,
    response: flowChange,
    errors: EDIT_ERRORS,
  },
  deleteRestorePoint: {
    route: 'DELETE /api/v1/flows/{id}/restore-points/{point}',
    summary: 'Delete a restore point',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['newer_version', 'not_found', 'read_only'],
  },
});
