import type { RunEvent } from './events.ts';

/** The events of a run that its one reader has not read. */
export class EventQueue {
  #queue: RunEvent[] = [];
  #reader: (() => void) | undefined;
  #isOver = false;

  add(event: RunEvent): void {
    const last = event.kind === 'token' || event.kind === 'progress' ? this.#queue.at(-1) : undefined;
    const folded = last && fold(last, event);
    if (folded) this.#queue[this.#queue.length - 1] = folded;
    else this.#queue.push(event);
    if (this.#reader !== undefined) this.#wakeReader();
  }

  /** Ends the reading after the last event. */
  end(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  /** Gives all that are waiting at once, because each step costs a promise. */
  async *read(): AsyncGenerator<readonly RunEvent[], void, void> {
    for (;;) {
      const events = this.#queue;
      this.#queue = [];
      if (events.length > 0) yield events;
      if (this.#queue.length > 0) continue;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#reader = resolve;
      });
    }
  }

  #wakeReader(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.();
  }
}

/** Unread tokens of one node become one event, and unread progress the latest: a slow reader costs little memory. */
function fold(last: RunEvent, event: RunEvent): RunEvent | undefined {
  if (last.kind === 'token' && event.kind === 'token' && last.node === event.node && last.path === event.path)
    return { ...last, text: last.text + event.text };
  if (last.kind === 'progress' && event.kind === 'progress' && last.node === event.node && last.path === event.path)
    return event;
  return undefined;
}
