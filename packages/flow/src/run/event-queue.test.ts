import { expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';
import type { RunEvent } from './events.ts';

const token = (node: string, text: string, path = '') => ({ kind: 'token', node, path, text }) as unknown as RunEvent;
const progress = (node: string, done: number) => ({ kind: 'progress', node, path: '', done }) as unknown as RunEvent;
const other = (kind: string) => ({ kind, node: 'a', path: '' }) as unknown as RunEvent;

it('gives all waiting events at once, then those that come, and ends after the last', async () => {
  const queue = new EventQueue();
  queue.add(other('x'));
  queue.add(other('y'));
  const reader = queue.read();
  expect((await reader.next()).value).toEqual([other('x'), other('y')]);
  const next = reader.next();
  queue.add(other('z'));
  queue.end();
  expect((await next).value).toEqual([other('z')]);
  expect((await reader.next()).done).toBe(true);
});

it('joins unread tokens of one node, and keeps only its latest progress', async () => {
  const queue = new EventQueue();
  for (const event of [
    token('a', 'He'),
    token('a', 'llo'),
    token('b', '!'),
    token('a', 'x'),
    token('a', 'y', '0'),
    progress('a', 1),
    progress('a', 2),
    progress('b', 3),
    other('log'),
    progress('b', 4),
  ])
    queue.add(event);
  queue.end();
  const { value } = await queue.read().next();
  expect(value).toEqual([
    token('a', 'Hello'),
    token('b', '!'),
    token('a', 'x'),
    token('a', 'y', '0'),
    progress('a', 2),
    progress('b', 3),
    other('log'),
    progress('b', 4),
  ]);
});

it('loses no event that comes while its reader works on the ones before', async () => {
  const queue = new EventQueue();
  queue.add(other('x'));
  const reader = queue.read();
  await reader.next();
  queue.add(other('y'));
  queue.end();
  expect((await reader.next()).value).toEqual([other('y')]);
  expect((await reader.next()).done).toBe(true);
});
