import { expect, it } from 'vitest';
import { createRunSlots } from './run-slots.ts';

const BYTES = { ofUser: 100, ofServer: 150 };
const idle = new AbortController().signal;

/** Lets every promise that is due settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets users take turns, within the limits of a user and of the server', async () => {
  const slots = createRunSlots({ ofUser: 2, ofServer: 3, waitingOfUser: 50, waitingBytes: BYTES });
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const take = (userId: string, name: string) =>
    slots.take(userId, 1, idle).then((release) => {
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

it('says where the runs of all users wait, which another user did not start', async () => {
  const waitingBytes = { ofUser: 10, ofServer: 10 };
  const slots = createRunSlots({ ofUser: 1, ofServer: 1, waitingOfUser: 5, waitingBytes });
  await slots.take('ada', 1, idle);
  const leaving = new AbortController();
  const waiting = slots.take('ada', 8, leaving.signal);
  expect(() => slots.requireRoom('ben', 3)).toThrow('Too many runs of all users wait already.');
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
});

it('refuses a run where too many of the user wait, and forgets one that was cancelled while it waited', async () => {
  const slots = createRunSlots({ ofUser: 1, ofServer: 10, waitingOfUser: 1, waitingBytes: BYTES });
  const release = await slots.take('ada', 1, idle);
  const leaving = new AbortController();
  const waiting = slots.take('ada', 1, leaving.signal);
  await expect(slots.take('ada', 1, idle)).rejects.toMatchObject({ code: 'busy', status: 429 });
  expect(() => slots.requireRoom('ada', 1)).toThrow('runs wait already');
  slots.requireRoom('ben', 1);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = slots.take('ada', 1, idle);
  release();
  // A second release of the same slot gives nothing away.
  release();
  const releaseNext = await next;
  const last = slots.take('ada', 1, idle);
  let isGranted = false;
  void last.then(() => (isGranted = true));
  await settle();
  expect(isGranted).toBe(false);
  releaseNext();
  await last;
});

it('refuses a run whose flow is too large to wait in memory, and no run that starts at once', async () => {
  const slots = createRunSlots({ ofUser: 1, ofServer: 10, waitingOfUser: 50, waitingBytes: BYTES });
  const releases = [await slots.take('ada', 1_000, idle), await slots.take('ben', 1_000, idle)];
  const waiting = [slots.take('ada', 60, idle)];
  await expect(slots.take('ada', 60, idle)).rejects.toMatchObject({ code: 'busy', status: 429 });
  expect(() => slots.requireRoom('ben', 95)).toThrow('Try again');
  waiting.push(slots.take('ben', 90, idle));
  for (const release of releases) release();
  for (const each of waiting) (await each)();
  slots.requireRoom('ada', 1_000);
});
