import type { FlowComponents } from '../components/flow-components.ts';
import type { EventStreams } from '../events.ts';
import type { Db } from '../store/database.ts';
import { sendFlowChange } from './announce-flow.ts';
import { editFlow, type EditRequest, type FlowChange } from './edit-flow.ts';

export interface ChangeFlowOptions {
  readonly storage: () => Promise<Db>;
  readonly events: Pick<EventStreams, 'send'>;
  readonly flowComponents: Pick<FlowComponents, 'fillEdits'>;
}

/** Edits a flow as the page does: with the code of the user's stored components, and with news for open pages. */
export async function changeFlow(
  { storage, events, flowComponents }: ChangeFlowOptions,
  request: EditRequest,
): Promise<FlowChange> {
  const edits = await flowComponents.fillEdits(request.userId, request.edits);
  const change = await editFlow(await storage(), { ...request, edits });
  sendFlowChange(events, change.notice);
  return change;
}
