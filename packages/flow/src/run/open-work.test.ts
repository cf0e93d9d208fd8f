import { expect, it } from 'vitest';
import { OpenWork } from './open-work.ts';

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
