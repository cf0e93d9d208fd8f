import type { AssistantEvent } from './events.ts';

/** Events on their way to the one reader of a turn. */
export interface EventQueue {
  /** Events after `close` are dropped. */
  push(event: AssistantEvent): void;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<AssistantEvent>;
}

/** A queue without a bound: each event is bounded, and so is their number by the limits of a turn. */
export function createEventQueue(): EventQueue {
  const waiting: AssistantEvent[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  return {
    push(event) {
      if (isClosed) return;
      waiting.push(event);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isClosed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
