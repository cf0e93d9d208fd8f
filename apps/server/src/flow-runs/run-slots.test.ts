import { expect, it } from 'vitest';
import { createRunSlots } from './run-slots.ts';

const idle = new AbortController().signal;

/** Lets every promise that is due settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets users take turns, within the limits of a user and of the server', async () => {
  const slots = createRunSlots({ ofUser: 2, ofServer: 3, waitingOfUser: 50 });
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const take = (userId: string, name: string) =>
    slots.take(userId, idle).then((release) => {
      order.push(name);
      releases.push(release);
    });
  for (let at = 0; at < 6; at++) void take('ada', `ada ${at}`);
  await settle();
  expect(order).toEqual(['ada 0', 'ada 1']);
  // Ada holds two slots and four of her runs wait: Ben does not queue behind them.
  void take('ben', 'ben 0');
  void take('ben', 'ben 1');
  await settle();
  expect(order).toEqual(['ada 0', 'ada 1', 'ben 0']);
  while (releases.length > 0) {
    releases.shift()?.();
    await settle();
  }
  expect(order).toEqual(['ada 0', 'ada 1', 'ben 0', 'ada 2', 'ben 1', 'ada 3', 'ada 4', 'ada 5']);
});

it('refuses a run where too many of the user wait, and forgets one that was cancelled while it waited', async () => {
  const slots = createRunSlots({ ofUser: 1, ofServer: 10, waitingOfUser: 1 });
  const release = await slots.take('ada', idle);
  const leaving = new AbortController();
  const waiting = slots.take('ada', leaving.signal);
  await expect(slots.take('ada', idle)).rejects.toMatchObject({ code: 'busy', status: 429 });
  expect(() => slots.requireRoom('ada')).toThrow('runs wait already');
  slots.requireRoom('ben');
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = slots.take('ada', idle);
  release();
  // A second release of the same slot gives nothing away.
  release();
  const releaseNext = await next;
  const last = slots.take('ada', idle);
  let isGranted = false;
  void last.then(() => (isGranted = true));
  await settle();
  expect(isGranted).toBe(false);
  releaseNext();
  await last;
});
