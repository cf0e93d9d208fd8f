import { afterEach, expect, it, vi } from 'vitest';
import { OpenWork } from './open-work.ts';

afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<string>(() => undefined);

it('settles as its work does', async () => {
  const open = new OpenWork(new AbortController().signal, 1);
  expect(await open.add(Promise.resolve('done'))).toBe('done');
  await expect(open.add(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

it('gives up work that does not end after the run was stopped', async () => {
  const stop = new AbortController();
  const open = new OpenWork(stop.signal, 1);
  const [first, second] = [open.add(never()), open.add(never())];
  stop.abort();
  await expect(first).rejects.toThrow('The component did not stop when the run did.');
  await expect(second).rejects.toThrow('did not stop');
});

it('leaves work its time after the stop', async () => {
  const stop = new AbortController();
  const open = new OpenWork(stop.signal, 60_000);
  let end: (value: string) => void = () => undefined;
  const work = open.add(new Promise<string>((resolve) => (end = resolve)));
  stop.abort();
  end('in time');
  expect(await work).toBe('in time');
});

it('gives up after its time, not before, and only what is open then', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const open = new OpenWork(stop.signal, 100);
  const states: string[] = [];
  const note = (work: Promise<string>) => work.then((value) => states.push(value)).catch(() => states.push('given up'));
  let end: (value: string) => void = () => undefined;
  const all = [note(open.add(never())), note(open.add(new Promise<string>((resolve) => (end = resolve))))];
  stop.abort();
  await vi.advanceTimersByTimeAsync(99);
  end('done');
  await vi.advanceTimersByTimeAsync(0);
  expect([states, vi.getTimerCount()]).toEqual([['done'], 1]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(all);
  expect([states, vi.getTimerCount()]).toEqual([['done', 'given up'], 0]);
});

it('has no timer where nothing is open, or nothing any more', async () => {
  vi.useFakeTimers();
  const [idle, busy] = [new AbortController(), new AbortController()];
  const done = new OpenWork(idle.signal, 100);
  await done.add(Promise.resolve(''));
  await vi.advanceTimersByTimeAsync(0);
  idle.abort();
  expect(vi.getTimerCount()).toBe(0);
  const open = new OpenWork(busy.signal, 100);
  let fail: (error: Error) => void = () => undefined;
  const work = open.add(new Promise<string>((_, reject) => (fail = reject)));
  busy.abort();
  expect(vi.getTimerCount()).toBe(1);
  fail(new Error('failed'));
  await expect(work).rejects.toThrow('failed');
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
