import { type AssistantEvent, isEnd } from '@croft/assistant/events';
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
