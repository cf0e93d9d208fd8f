import { editSchema } from '@croft/flow';
import { z } from 'zod';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';
import { defineRoutes } from './define-route.ts';

const name = z.string().trim().min(1, 'give a name').max(FLOW_LIMITS.nameLength, 'at most 200 characters');
const description = z.string().max(FLOW_LIMITS.descriptionLength, 'at most 10000 characters');
const version = z.number().int().min(1);
/** A flow document; `parseFlow` of `@croft/flow` checks it. */
const document = z.record(z.string(), z.unknown());

const summary = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version,
  access: z.enum(['owner', 'edit', 'read']),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const flow = summary.extend({ document });

const entry = z.strictObject({
  version,
  /** Null: the author was removed. */
  userId: z.string().nullable(),
  kind: z.enum(['edit', 'undo', 'redo', 'restore']),
  edits: z.array(z.unknown()),
});

const change = z.strictObject({
  version,
  updatedAt: z.string(),
  /** Applied at `version`. */
  edits: z.array(z.unknown()),
  /** Applied after the base and before these edits. */
  between: z.array(entry),
});

const base = z.object({ base: version });
const EDIT_ERRORS = ['changed', 'newer_version', 'not_found', 'quota_exceeded', 'read_only'] as const;

/** The caller's flows, and those that others share with the caller. */
export const flowRoutes = defineRoutes('Flows', {
  listFlows: {
    route: 'GET /api/v1/flows',
    summary: 'List your flows and those shared with you, the latest change first, in pages',
    access: 'caller',
    query: z.object({
      search: z.string().max(FLOW_LIMITS.nameLength).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(FLOW_LIMITS.pageSize).default(50),
    }),
    response: z.strictObject({
      flows: z.array(summary.extend({ ownerName: z.string() })),
      nextCursor: z.string().nullable(),
    }),
  },
  createFlow: {
    route: 'POST /api/v1/flows',
    summary: 'Create a flow: empty, or with a document',
    access: 'caller',
    body: z.object({ name: name.optional(), description: description.optional(), document: document.optional() }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: z.strictObject({ flow }),
    status: 201,
    errors: ['newer_version', 'quota_exceeded'],
  },
  getFlow: {
    route: 'GET /api/v1/flows/{id}',
    summary: 'Read a flow with its document',
    access: 'caller',
    response: z.strictObject({ flow }),
    errors: ['newer_version', 'not_found'],
  },
  replaceFlow: {
    route: 'PUT /api/v1/flows/{id}',
    summary: 'Replace the document of a flow that still has the version `base`. This is one edit',
    access: 'caller',
    body: base.extend({ document }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: change,
    errors: EDIT_ERRORS,
  },
  deleteFlow: {
    route: 'DELETE /api/v1/flows/{id}',
    summary: 'Delete your flow with its history and restore points',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['forbidden', 'not_found'],
  },
  editFlow: {
    route: 'POST /api/v1/flows/{id}/edits',
    summary:
      'Apply edits to a flow after those of others, all or none. The same `key` again changes nothing. The response has the edits between `base` and these',
    access: 'caller',
    body: base.extend({ edits: z.array(editSchema).min(1), key: z.string().min(1).max(100).optional() }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: change,
    errors: EDIT_ERRORS,
  },
  listFlowEdits: {
    route: 'GET /api/v1/flows/{id}/edits',
    summary: 'The edits after a version, in their order',
    access: 'caller',
    query: z.object({ after: z.coerce.number().int().min(1) }),
    response: z.strictObject({ version, entries: z.array(entry) }),
    errors: ['changed', 'newer_version', 'not_found'],
  },
  undoFlowEdit: {
    route: 'POST /api/v1/flows/{id}/undo',
    summary: 'Revert your newest edit, except where others changed the same part since',
    access: 'caller',
    body: base,
    response: change,
    errors: [...EDIT_ERRORS, 'not_undoable'],
  },
  redoFlowEdit: {
    route: 'POST /api/v1/flows/{id}/redo',
    summary: 'Apply your newest undone edit again',
    access: 'caller',
    body: base,
    response: change,
    errors: [...EDIT_ERRORS, 'not_undoable'],
  },
  duplicateFlow: {
    route: 'POST /api/v1/flows/{id}/duplicate',
    summary: 'Copy a flow that you can read into one of your own',
    access: 'caller',
    response: z.strictObject({ flow }),
    status: 201,
    errors: ['newer_version', 'not_found', 'quota_exceeded', 'too_large'],
  },
});
