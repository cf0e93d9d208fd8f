import { z } from 'zod';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';

export const flowName = z
  .string()
  .trim()
  .min(1, 'give a name')
  .max(FLOW_LIMITS.nameLength, `at most ${FLOW_LIMITS.nameLength} characters`);
export const flowDescription = z
  .string()
  .max(FLOW_LIMITS.descriptionLength, `at most ${FLOW_LIMITS.descriptionLength} characters`);
export const flowVersion = z.number().int().min(1);
/**
 * The version of the flow that the caller has seen, which a session accepts by this. Without it, and with an API key, nothing is
 * accepted.
 */
export const seenVersion = flowVersion.optional();
/** A flow document; `parseFlow` of `@croft/flow` checks it. */
export const flowDocument = z.record(z.string(), z.unknown());

/** A flow of a list. */
export const flowSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: flowVersion,
  access: z.enum(['owner', 'edit', 'read']),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** The triggers that start a flow without the caller: the caller's schedules and webhooks that are on, and the link of an own flow. */
export const flowTriggers = z.strictObject({
  /** The next time of the schedules. Null: none is on. */
  nextAt: z.string().nullable(),
  schedules: z.number().int(),
  webhooks: z.number().int(),
  /** Whether anyone may chat with it at a public link. */
  hasLink: z.boolean(),
  /** Why the last time or request of one of them started no run. */
  failure: z.string().nullable(),
});
export const fullFlow = flowSummary.extend({ document: flowDocument });

/** Edits that were applied together. */
export const flowEntry = z.strictObject({
  version: flowVersion,
  /** Null: the author was removed. */
  userId: z.string().nullable(),
  kind: z.enum(['edit', 'undo', 'redo', 'restore']),
  edits: z.array(z.unknown()),
});

/** The response to a change of a flow. */
export const flowChange = z.strictObject({
  version: flowVersion,
  updatedAt: z.string(),
  /** Applied at `version`. */
  edits: z.array(z.unknown()),
  /** Applied after the base and before these edits. */
  between: z.array(flowEntry),
});

/** The version that the client has. */
export const flowBase = z.strictObject({ base: flowVersion });
export const EDIT_ERRORS = ['changed', 'newer_version', 'not_found', 'quota_exceeded', 'read_only'] as const;
