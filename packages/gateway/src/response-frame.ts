import { z } from 'zod';
import { listOf } from './bounded-list.ts';
import { FRAME_LIMITS } from './frames.ts';

/** One block of an MCP result. A model does not get blocks of unknown types. */
export const contentBlockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().max(256) }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string().max(FRAME_LIMITS.maxPathChars),
      mimeType: z.string().max(256).optional(),
      blob: z.string().optional(),
      text: z.string().optional(),
    }),
  }),
  z.looseObject({ type: z.string() }),
]);
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** A result of the later dialect. */
export const toolResultSchema = z.object({
  content: listOf(contentBlockSchema, FRAME_LIMITS.maxContentBlocks).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** Binary content of a result of Croft's own daemon, as `@croft/tools` defines it. */
export const mediaSchema = z.union([
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().max(256) }),
  z.object({ type: z.literal('resource'), uri: z.string(), data: z.string(), mimeType: z.string().max(256) }),
]);

/**
 * Body of `response/:requestId`. Requires one of `data` (first dialect, Croft), `result` (later) and `error` (all);
 * `error` decides. Next to `error`, `data` is the envelope of the failure, if the tool has one.
 */
export const responseSchema = z
  .object({
    data: z.unknown().optional(),
    result: toolResultSchema.optional(),
    error: z
      .union([z.string(), z.looseObject({ message: z.string() }).transform((error) => error.message)])
      .transform((error) => error.slice(0, FRAME_LIMITS.maxErrorChars))
      .optional(),
    /** The text for the model, if it is not `data` as JSON. */
    text: z.string().optional(),
    media: listOf(mediaSchema, FRAME_LIMITS.maxContentBlocks).optional(),
  })
  .refine((body) => body.data !== undefined || body.result !== undefined || body.error !== undefined, {
    message: 'needs one of `data`, `result` and `error`',
  });
export type ResponseFrame = z.infer<typeof responseSchema>;
