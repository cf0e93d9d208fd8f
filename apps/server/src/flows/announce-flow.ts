import type { EventStreams } from '../events.ts';
import { announceChange } from '../store/changes.ts';
import type { Db, Transaction } from '../store/database.ts';
import { audienceOf } from './get-flow.ts';

/** A change of a flow, for the pages of these users. */
export interface FlowNotice {
  readonly id: string;
  /** Null: the users cannot read the flow any more. */
  readonly version: number | null;
  readonly userIds: readonly string[];
}

/** A notice for everyone who can read the flow. */
export async function noticeOf(db: Db | Transaction, id: string, version: number | null): Promise<FlowNotice> {
  return { id, version, userIds: await audienceOf(db, id) };
}

/** Announces a change to the other processes when the transaction commits. Call it last; see `announceChange`. */
export async function announceFlow(tx: Transaction, notice: FlowNotice): Promise<void> {
  await announceChange(tx, { kind: 'flow', userId: notice.userIds[0] ?? '', flow: notice });
}

/** Tells the open pages of this process. Call it after the transaction. */
export function sendFlowChange(events: Pick<EventStreams, 'send'>, { id, version, userIds }: FlowNotice): void {
  for (const userId of userIds) events.send(userId, { event: 'flows', data: { id, version } });
}
