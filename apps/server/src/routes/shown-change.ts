import type { EventStreams } from '../events.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import type { FlowChange } from '../flows/edit-flow.ts';

/** Waits for a change of a flow, tells open pages, and gives the response. */
export async function shownChange(events: Pick<EventStreams, 'send'>, changing: Promise<FlowChange>) {
  const { notice, updatedAt, version, edits, between } = await changing;
  sendFlowChange(events, notice);
  return { version, updatedAt: updatedAt.toISOString(), edits, between };
}
