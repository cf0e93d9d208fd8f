import { z } from 'zod';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';
import { defineRoutes } from './define-route.ts';
import { flowDocument, flowName, fullFlow } from './flow-fields.ts';

const finding = z.strictObject({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  node: z.string().optional(),
  field: z.string().optional(),
  message: z.string(),
  /** The next step for the author. */
  fix: z.string(),
});

/** Flows as files, templates, and the findings of a check. Nothing here runs a flow. */
export const flowTransferRoutes = defineRoutes('Flows', {
  importFlow: {
    route: 'POST /api/v1/flows/import',
    summary:
      'Create a flow from a Croft document, an export of Langflow or the text form. The findings list what has no counterpart',
    access: 'caller',
    body: z.strictObject({ name: flowName.optional(), source: z.union([z.string(), flowDocument]) }),
    maxBodyBytes: FLOW_LIMITS.bodyBytes,
    response: z.strictObject({ flow: fullFlow, findings: z.array(finding) }),
    status: 201,
    errors: ['newer_version', 'quota_exceeded'],
  },
  exportFlow: {
    route: 'GET /api/v1/flows/{id}/export',
    summary: 'The document of a flow without secrets, and the places that had one',
    access: 'caller',
    response: z.strictObject({
      document: flowDocument,
      removed: z.array(z.strictObject({ node: z.string().optional(), field: z.string() })),
    }),
    errors: ['newer_version', 'not_found'],
  },
  checkFlow: {
    route: 'GET /api/v1/flows/{id}/check',
    summary: 'Check a flow: problems that prevent a run and warnings, each with a fix',
    access: 'caller',
    response: z.strictObject({ version: z.number(), findings: z.array(finding) }),
    errors: ['newer_version', 'not_found'],
  },
  getFlowText: {
    route: 'GET /api/v1/flows/{id}/text',
    summary: `The text form of a flow without secrets, which can be imported, and a drawing of at most ${FLOW_LIMITS.drawnNodes} components`,
    access: 'caller',
    response: z.strictObject({ version: z.number(), spec: z.string(), drawing: z.string().nullable() }),
    errors: ['newer_version', 'not_found'],
  },
  listFlowTemplates: {
    route: 'GET /api/v1/flow-templates',
    summary: 'Flows to start from, each with an example that tries it',
    access: 'caller',
    response: z.strictObject({
      templates: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          /** The text form. */
          spec: z.string(),
          /** A message that tries the flow; null where it takes none. */
          input: z.string().nullable(),
          /** Files that the example reads, by path. */
          files: z.record(z.string(), z.string()),
          needsNetwork: z.boolean(),
          /** Without a provider of models, `croft/offline` answers, which understands simple requests only. */
          usesModel: z.boolean(),
          /** The content of a small drawing of the flow. */
          picture: z.strictObject({
            nodes: z.array(
              z.strictObject({ id: z.string(), position: z.strictObject({ x: z.number(), y: z.number() }) }),
            ),
            edges: z.array(
              z.strictObject({
                from: z.strictObject({ node: z.string() }),
                to: z.strictObject({ node: z.string() }),
              }),
            ),
          }),
        }),
      ),
    }),
  },
  getComponentSource: {
    route: 'GET /api/v1/flow-components/{type}/source',
    summary: 'Read the source of a built-in component, or why its code cannot be edited',
    access: 'caller',
    response: z.strictObject({ type: z.string(), source: z.string().nullable(), reason: z.string().nullable() }),
    errors: ['not_found'],
  },
  listFlowComponents: {
    route: 'GET /api/v1/flow-components',
    summary:
      'The components of your flows, built in and your own, each with its fields, outputs and effects. Your own that cannot be used are left out with a reason',
    access: 'caller',
    response: z.strictObject({
      /** `Descriptor` of `@croft/flow`. */
      components: z.array(
        z.looseObject({ type: z.string(), label: z.string(), /** Its code can be edited. */ editable: z.boolean() }),
      ),
      leftOut: z.array(z.strictObject({ file: z.string(), reason: z.string(), line: z.number() })),
    }),
  },
});
