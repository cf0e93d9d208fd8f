import { z } from 'zod';
import { TAG_LIMITS } from '../flows/flow-limits.ts';
import { defineRoutes } from './define-route.ts';

export const flowTag = z
  .string()
  .trim()
  .min(1, 'a tag has at least one character')
  .max(TAG_LIMITS.length, `a tag has at most ${TAG_LIMITS.length} characters`);

/** Words by which people find their flows. A tag belongs to a flow: everyone who reaches the flow sees it. */
export const flowTagRoutes = defineRoutes('Flows', {
  listFlowTags: {
    route: 'GET /api/v1/flow-tags',
    summary: 'List the tags of your flows and those shared with you, with the number of flows of each',
    access: 'caller',
    response: z.strictObject({ tags: z.array(z.strictObject({ name: z.string(), flows: z.number() })) }),
  },
  setFlowTags: {
    route: 'PUT /api/v1/flows/{id}/tags',
    summary: 'Replace the tags of a flow that you may edit. Its document and version stay',
    access: 'caller',
    body: z.strictObject({ tags: z.array(flowTag).max(TAG_LIMITS.count, `at most ${TAG_LIMITS.count} tags`) }),
    response: z.strictObject({ tags: z.array(z.string()) }),
    errors: ['newer_version', 'not_found', 'read_only'],
  },
});
