import { type AssistantEvent, isEnd } from '@croft/assistant/events';
import { turnEventsUrl } from '../api/assistant.ts';

/** Readers of the events of a turn. */
export interface TurnReader {
  readonly onEvent: (id: string, event: AssistantEvent) => void;
  /** The server does not have all events any more; the stored conversation has the turn. */
  readonly onGone: () => void;
}

/**
 * Reads the events of a turn from its beginning to its end, and resumes after a lost connection: the browser sends the id
 * of the last event. Returns a function that stops reading; the turn goes on.
 */
export function followTurn(turnId: string, { onEvent, onGone }: TurnReader): () => void {
  const source = new EventSource(turnEventsUrl(turnId));
  let isPartial = false;
  source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
    const event = JSON.parse(data) as AssistantEvent | { readonly event: 'reset' };
    if (event.event === 'reset') {
      isPartial = true;
      return;
    }
    onEvent(lastEventId, event);
    if (!isEnd(event)) return;
    source.close();
    if (isPartial) onGone();
  });
  source.addEventListener('error', () => {
    // The browser reconnects unless the server refused the request.
    if (source.readyState === EventSource.CLOSED) onGone();
  });
  return () => source.close();
}
