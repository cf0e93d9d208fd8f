import type { ScheduleState } from '@croft/runs';
import { and, count, eq, inArray, max, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { flow, flowLink, webhook } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';

/** The triggers that start a flow without its user: the user's schedules and webhooks that are on, and the link of the own flow. */
export interface FlowTriggers {
  /** The next time of the schedules. Null: none is on. */
  readonly nextAt: Date | null;
  readonly schedules: number;
  readonly webhooks: number;
  readonly hasLink: boolean;
  /** Why the last time or delivery of one of them started no run. */
  readonly failure: string | null;
}

type ReadState = Pick<ScheduleState, 'schedule' | 'nextAt' | 'failure'>;

/** The flows that a user's schedules start. */
export const scheduledFlows = (schedules: readonly ReadState[]): string[] =>
  schedules.flatMap(({ schedule }) => (schedule?.isOn === true ? [schedule.flowId] : []));

/** The condition of flows that run by themselves for this user. */
export function isTriggered(userId: string, scheduled: readonly string[]): SQL {
  const ownWebhook = sql`EXISTS (SELECT FROM ${webhook}
    WHERE ${webhook.flowId} = ${flow.id} AND ${webhook.userId} = ${userId} AND ${webhook.isOn})`;
  const ownLink = sql`(${flow.userId} = ${userId} AND EXISTS (SELECT FROM ${flowLink}
    JOIN ${user} AS owner ON owner.id = ${userId} AND owner.role = 'admin' WHERE ${flowLink.flowId} = ${flow.id}))`;
  return or(scheduled.length > 0 ? inArray(flow.id, [...scheduled]) : undefined, ownWebhook, ownLink) as SQL;
}

/**
 * The triggers of flows of a page, in two queries.
 *
 * @param schedules all of the user, the next one first
 */
export async function readTriggers(
  db: Db,
  userId: string,
  flowIds: readonly string[],
  schedules: readonly ReadState[],
): Promise<(flowId: string) => FlowTriggers> {
  if (flowIds.length === 0) return () => NO_TRIGGERS;
  const ids = [...flowIds];
  const [webhooks, links] = await Promise.all([
    db
      .select({ flowId: webhook.flowId, count: count(), failure: max(webhook.failure) })
      .from(webhook)
      .where(and(inArray(webhook.flowId, ids), eq(webhook.userId, userId), eq(webhook.isOn, true)))
      .groupBy(webhook.flowId),
    // A link works while its owner is an admin; see `openLink`.
    db
      .select({ flowId: flowLink.flowId })
      .from(flowLink)
      .innerJoin(flow, and(eq(flow.id, flowLink.flowId), eq(flow.userId, userId)))
      .innerJoin(user, and(eq(user.id, userId), eq(user.role, 'admin')))
      .where(inArray(flowLink.flowId, ids)),
  ]);
  const webhooksOf = new Map(webhooks.map((each) => [each.flowId, each]));
  const linked = new Set(links.map(({ flowId }) => flowId));
  return (flowId) => {
    const own = schedules.filter(({ schedule }) => schedule?.isOn === true && schedule.flowId === flowId);
    const hooks = webhooksOf.get(flowId);
    return {
      nextAt: own[0]?.nextAt ?? null,
      schedules: own.length,
      webhooks: hooks?.count ?? 0,
      hasLink: linked.has(flowId),
      failure: own.find(({ failure }) => failure !== null)?.failure ?? hooks?.failure ?? null,
    };
  };
}

const NO_TRIGGERS: FlowTriggers = { nextAt: null, schedules: 0, webhooks: 0, hasLink: false, failure: null };
