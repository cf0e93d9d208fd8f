import type { LoggedEvent } from '@croft/event-log';

type Events = AsyncGenerator<readonly LoggedEvent[], 'over' | 'left' | 'gone', void>;

/**
 * The events of a run, and its end only when no more events can come: the end is stored just before the run has it as its
 * state, and a reader may ask for the run at once.
 */
export async function* endLast(events: Events): Events {
  let held: readonly LoggedEvent[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) {
      if (held.length > 0 && value !== 'left') yield held;
      return value;
    }
    const ready = [...held, ...value];
    const isEnd = ready.at(-1)?.data.startsWith('{"kind":"run_finished"') === true;
    held = isEnd ? ready.splice(-1) : [];
    if (ready.length > 0) yield ready;
  }
}
