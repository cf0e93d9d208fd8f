import { expect, it } from 'vitest';
import { createChannel } from './channel.ts';

const open = new AbortController().signal;

it('gives the latest value of a name, or the next one to all that wait for it', async () => {
  const channel = createChannel();
  const waiting = [channel.receive('a', open), channel.receive('a', open)];
  channel.send('b', 'other');
  channel.send('a', 1);
  expect(await Promise.all(waiting)).toEqual([1, 1]);
  channel.send('a', undefined);
  expect(await channel.receive('a', open)).toBeUndefined();
  channel.send('a', 3);
  expect([await channel.receive('a', open), await channel.receive('b', open)]).toEqual([3, 'other']);
});

it('ends a wait with the run, and lets the others wait on', async () => {
  const channel = createChannel();
  const stopped = new AbortController();
  const [first, second] = [channel.receive('a', stopped.signal), channel.receive('a', open)];
  stopped.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  await expect(channel.receive('a', stopped.signal)).rejects.toThrow('stopped');
  channel.send('a', 1);
  expect(await second).toBe(1);
});
