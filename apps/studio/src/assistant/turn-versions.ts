import { type AssistantEvent, type FlowUpdate, isEnd } from '@croft/assistant/events';
import type { TurnView } from './turn-view.ts';

const versionsIn = (events: readonly AssistantEvent[]): readonly number[] => [
  ...new Set(events.flatMap((event) => ('version' in event && event.version !== undefined ? [event.version] : []))),
];

/** The versions of the flow that a turn stored, and decisions about its proposals. */
export const versionsOf = ({ events }: Pick<TurnView, 'events'>): readonly number[] => versionsIn(events);

/** Whether another client changed the flow while the turn changed it. Each edit is one version. */
export function othersChanged({ events, startVersion }: Pick<TurnView, 'events' | 'startVersion'>): boolean {
  const end = events.findIndex(isEnd);
  const own = versionsIn(end === -1 ? events : events.slice(0, end));
  if (own.length === 0) return false;
  const first = startVersion === undefined ? Math.min(...own) : startVersion + 1;
  return Math.max(...own) - first + 1 > own.length;
}

/**
 * How many components of the flow the turns left as they were. Undefined where they changed none, or built a whole flow.
 *
 * @param ids of the components that the flow has now
 */
export function untouchedCount(turns: readonly Pick<TurnView, 'events' | 'fields'>[], ids: readonly string[]) {
  const touched = new Set<string>();
  for (const { events, fields } of turns) {
    for (const { component_id, status } of fields) if (status === 'applied') touched.add(component_id);
    for (const event of events) {
      if (event.event !== 'flow_update' || !('version' in event)) continue;
      if (event.action === 'set_flow' || event.action === 'edit') return undefined;
      for (const id of idsOf(event)) touched.add(id);
    }
  }
  return touched.size === 0 ? undefined : ids.filter((id) => !touched.has(id)).length;
}

function idsOf(update: FlowUpdate): readonly string[] {
  if (update.action === 'add_component') return [update.node.id];
  if (update.action === 'connect' || update.action === 'disconnect')
    return [update.edge.from.node, update.edge.to.node];
  return 'component_id' in update ? [update.component_id] : [];
}
