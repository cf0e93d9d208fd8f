import { afterEach, expect, it } from 'vitest';
import type { SandboxThread } from './sandbox-thread.ts';
import { closeSandbox, giveThread, isThreadWanted, takeThread } from './sandbox-threads.ts';

let held: { thread: SandboxThread; user: string | undefined }[] = [];
afterEach(async () => {
  for (const { thread, user } of held) giveThread(thread, user);
  held = [];
  await closeSandbox();
});
async function take(user: string | undefined): Promise<SandboxThread> {
  const thread = await takeThread(user);
  held.push({ thread, user });
  return thread;
}
function give(thread: SandboxThread): void {
  const at = held.findIndex((each) => each.thread === thread);
  const [{ user } = { user: undefined }] = held.splice(at, 1);
  giveThread(thread, user);
}
/** Takes a thread, and tells whether it has one yet. */
function waitFor(user: string | undefined) {
  const state: { thread?: SandboxThread } = {};
  const taken = take(user).then((thread) => (state.thread = thread));
  return { state, taken };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('uses a thread again that was given back, unless it ended', async () => {
  const first = await take('a');
  give(first);
  expect(await take('a')).toBe(first);
  await first.end();
  give(first);
  expect(await take('a')).not.toBe(first);
});

it('gives a user two threads, and a run without a user four', async () => {
  const [one] = [await take('a'), await take('a')];
  const third = waitFor('a');
  await turn();
  expect([third.state.thread, isThreadWanted('a'), isThreadWanted('b')]).toEqual([undefined, true, false]);
  give(one);
  expect(await third.taken).toBe(one);
  expect(isThreadWanted('a')).toBe(false);
});

it('has four threads for all, and gives the next one to the user who has fewest', async () => {
  const first = await take(undefined);
  for (let n = 0; n < 2; n++) await take(undefined);
  await take('a');
  const [a, b] = [waitFor('a'), waitFor('b')];
  await turn();
  expect([a.state.thread, b.state.thread, isThreadWanted('c')]).toEqual([undefined, undefined, true]);
  give(first);
  await b.taken;
  expect(a.state.thread).toBeUndefined();
  give(held[0]?.thread as SandboxThread);
  await a.taken;
});

it('keeps two idle threads, and ends the others', async () => {
  const threads = [await take(undefined), await take(undefined), await take(undefined)];
  for (const thread of threads) give(thread);
  expect(threads.map(({ isGone }) => isGone)).toEqual([false, false, true]);
  await closeSandbox();
  expect(threads.map(({ isGone }) => isGone)).toEqual([true, true, true]);
});

it('leaves the queue with its caller', async () => {
  await take('a');
  const second = await take('a');
  const abort = new AbortController();
  const left = takeThread('a', abort.signal);
  abort.abort(new Error('stop'));
  await expect(left).rejects.toThrow('stop');
  expect(isThreadWanted('a')).toBe(false);
  give(second);
  expect(() => takeThread('a', abort.signal)).toThrow('stop');
});
