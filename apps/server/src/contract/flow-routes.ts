import { editSchema } from '@croft/flow';
import { z } from 'zod';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';
import { defineRoutes } from './define-route.ts';
import {
  EDIT_ERRORS,
  flowBase,
  flowChange,
  flowDescription,
  flowDocument,
  flowEntry,
  flowName,
  flowSummary,
  flowVersion,
  flowTriggers,
  fullFlow,
} from './flow-fields.ts';
import { flowTag } from './flow-tag-routes.ts';

/** The caller's flows, and those that others share with the caller. */
export const flowRoutes = defineRoutes('Flows', {
  listFlows: {
    route: 'GET /api/v1/flows',
    summary: 'List your flows and those shared with you, the latest change first, in pages',
    access: 'caller',
    query: z.object({
      search: z.string().max(FLOW_LIMITS.nameLength).optional(),
      /** Only flows with this tag. */
      tag: flowTag.optional(),
      /** `true`: only flows that run by themselves, by a schedule or webhook that is on, or at a public link. */
      triggered: z.enum(['true', 'false']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(FLOW_LIMITS.pageSize).default(50),
    }),
    response: z.strictObject({
      flows: z.array(flowSummary.extend({ ownerName: z.string(), tags: z.array(z.string()), triggers: flowTriggers })),
      nextCursor: z.string().nullable(),
    }),
  },
  createFlow: {
    route: 'POST /api/v1/flows',
    summary: 'Create a flow: empty, with a document, or from a template',
    access: 'caller',
    body: z.strictObject({
      name: flowName.optional(),
      description: flowDescription.optional(),
      document: flowDocument.optional(),
      /** The name of a template. */
      template: z.string().max(100).optional(),
    }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: z.strictObject({ flow: fullFlow }),
    status: 201,
    errors: ['newer_version', 'quota_exceeded'],
  },
  getFlow: {
    route: 'GET /api/v1/flows/{id}',
    summary: 'Read a flow with its document',
    access: 'caller',
    response: z.strictObject({ flow: fullFlow }),
    errors: ['newer_version', 'not_found'],
  },
  replaceFlow: {
    route: 'PUT /api/v1/flows/{id}',
    summary: 'Replace the document of a flow that still has the version `base`. This is one edit',
    access: 'caller',
    body: flowBase.extend({ document: flowDocument }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: flowChange,
    errors: EDIT_ERRORS,
  },
  getComponentOrigin: {
    route: 'GET /api/v1/flows/{id}/components/{component}/origin',
    summary:
      'Which edit added a component of a flow. Null for one that the flow had when it was made, and where the edit is not kept any more',
    access: 'caller',
    response: z.strictObject({
      origin: z
        .strictObject({
          /** `person`: a page, or a program with a key; `agent`: over MCP. */
          by: z.enum(['person', 'assistant', 'agent']),
          /** The user whose edit it was. Null: the user was removed. */
          author: z.string().nullable(),
          version: flowVersion,
          addedAt: z.string(),
        })
        .nullable(),
    }),
    errors: ['newer_version', 'not_found'],
  },
  deleteFlow: {
    route: 'DELETE /api/v1/flows/{id}',
    summary: `Delete your flow. You can restore it for ${FLOW_LIMITS.deletedDays} days, as one of the last ${FLOW_LIMITS.deletedFlows}`,
    access: 'caller',
    response: z.strictObject({
      id: z.string(),
      /** False: the flow is too large to be kept, and is gone. */
      isRestorable: z.boolean(),
    }),
    errors: ['forbidden', 'not_found'],
  },
  listDeletedFlows: {
    route: 'GET /api/v1/deleted-flows',
    summary: 'List your deleted flows that you can restore, the newest deletion first',
    access: 'caller',
    response: z.strictObject({
      flows: z.array(z.strictObject({ id: z.string(), name: z.string(), deletedAt: z.string() })),
    }),
  },
  // A session: shares, webhooks and the public link of the flow work again, and outlive a leaked key that was revoked.
  restoreDeletedFlow: {
    route: 'POST /api/v1/deleted-flows/{id}/restore',
    audit: true,
    summary:
      'Take the deletion of a flow back, with its history, restore points, shares, webhooks and public link. Its schedules are gone',
    access: 'session',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found', 'quota_exceeded'],
  },
  editFlow: {
    route: 'POST /api/v1/flows/{id}/edits',
    summary:
      'Apply edits to a flow after those of others, all or none. The same `key` again changes nothing. The response has the edits between `base` and these',
    access: 'caller',
    body: flowBase.extend({
      edits: z.array(editSchema).min(1),
      key: z
        .string()
        .min(1)
        .max(100)
        .regex(/^(?!turn:)/, 'choose a key that does not begin with turn:')
        .optional(),
      /** False: answer `changed` where edits after `base` changed the same part, besides positions. */
      overwrite: z.boolean().optional(),
    }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: flowChange,
    errors: EDIT_ERRORS,
  },
  listFlowEdits: {
    route: 'GET /api/v1/flows/{id}/edits',
    summary: 'The edits after a version, in their order',
    access: 'caller',
    query: z.object({ after: z.coerce.number().int().min(1) }),
    response: z.strictObject({ version: flowVersion, entries: z.array(flowEntry) }),
    errors: ['changed', 'newer_version', 'not_found'],
  },
  undoFlowEdit: {
    route: 'POST /api/v1/flows/{id}/undo',
    summary: 'Revert your newest edit, except where others changed the same part since',
    access: 'caller',
    body: flowBase,
    response: flowChange,
    errors: [...EDIT_ERRORS, 'not_undoable'],
  },
  redoFlowEdit: {
    route: 'POST /api/v1/flows/{id}/redo',
    summary: 'Apply your newest undone edit again',
    access: 'caller',
    body: flowBase,
    response: flowChange,
    errors: [...EDIT_ERRORS, 'not_undoable'],
  },
  duplicateFlow: {
    route: 'POST /api/v1/flows/{id}/duplicate',
    summary: 'Copy a flow that you can read into one of your own',
    access: 'caller',
    response: z.strictObject({ flow: fullFlow }),
    status: 201,
    errors: ['newer_version', 'not_found', 'quota_exceeded', 'too_large'],
  },
});
