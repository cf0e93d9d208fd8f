import { expect, it } from 'vitest';
import { createEventQueue } from './event-queue.ts';
import type { AssistantEvent } from './events.ts';

const token = (text: string) => ({ event: 'token', text }) as unknown as AssistantEvent;

it('gives events in their order, waits for more, and ends after the last one', async () => {
  const queue = createEventQueue();
  queue.push(token('a'));
  const read: AssistantEvent[] = [];
  const reading = (async () => {
    for await (const event of queue) read.push(event);
  })();
  await Promise.resolve();
  queue.push(token('b'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toEqual([token('a'), token('b')]);
  queue.push(token('c'));
  queue.close();
  queue.push(token('late'));
  await reading;
  expect(read).toEqual([token('a'), token('b'), token('c')]);
});
