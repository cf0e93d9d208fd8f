import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const tool = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** Arguments of a call, by name. */
  inputs: z.array(
    z.strictObject({
      name: z.string(),
      type: z.enum(['string', 'number', 'integer', 'boolean']),
      required: z.boolean(),
      description: z.string(),
      /** The component that gets the value. */
      component_id: z.string(),
    }),
  ),
});

const name = z
  .string()
  .regex(/^flow_[a-z0-9_]{1,58}$/, 'begin with flow_ and use small letters, digits and _, at most 63 characters');

/** Flows as tools of their own at `/mcp/flows`. Agents get a flow only after its owner published it. */
export const publishedToolRoutes = defineRoutes('Flows', {
  getPublishedTool: {
    route: 'GET /api/v1/flows/{id}/tool',
    summary: 'The tool that agents get for your flow; null where you did not publish it',
    access: 'caller',
    response: z.strictObject({ tool: tool.nullable(), /** A name that is free. */ suggestion: z.string() }),
    errors: ['forbidden', 'newer_version', 'not_found'],
  },
  publishTool: {
    route: 'PUT /api/v1/flows/{id}/tool',
    audit: true,
    summary:
      'Offer your flow to your agents at /mcp/flows as a tool of its own, with typed inputs, or change its name and description',
    access: 'caller',
    body: z.strictObject({ name, description: z.string().trim().min(1, 'say what the flow does').max(1_000) }),
    response: z.strictObject({ tool }),
    errors: ['exists', 'forbidden', 'newer_version', 'not_found', 'quota_exceeded'],
  },
  unpublishTool: {
    route: 'DELETE /api/v1/flows/{id}/tool',
    summary: 'Stop offering your flow as a tool. Works at once',
    access: 'caller',
    response: z.strictObject({ removed: z.boolean() }),
    errors: ['forbidden', 'newer_version', 'not_found'],
  },
});
