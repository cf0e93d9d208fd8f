import { expect, it } from 'vitest';
import { createOneAtATime } from './one-at-a-time.ts';

/** Work that ends when the test says so. */
function startWork(did: string[], name: string) {
  let end: (error?: Error) => void = () => {};
  const work = () => {
    did.push(`${name} starts`);
    return new Promise<string>((resolve, reject) => {
      end = (error) => {
        did.push(`${name} ends`);
        if (error) reject(error);
        else resolve(name);
      };
    });
  };
  return { work, end: (error?: Error) => end(error) };
}
const settled = () => new Promise((done) => setImmediate(done));

it('runs the work of one key after the other, and that of another key beside it', async () => {
  const did: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => startWork(did, name)) as ReturnType<typeof startWork>[] as never as [
    ReturnType<typeof startWork>,
    ReturnType<typeof startWork>,
    ReturnType<typeof startWork>,
  ];
  const turns = createOneAtATime();
  const first = turns.take('ann', a.work);
  const second = turns.take('ann', b.work);
  const other = turns.take('bob', c.work);
  await settled();
  expect(did).toEqual(['a starts', 'c starts']);
  a.end();
  expect(await first).toBe('a');
  await settled();
  expect(did).toEqual(['a starts', 'c starts', 'a ends', 'b starts']);
  const third = turns.take('ann', async () => did.push('d starts'));
  await settled();
  expect(did).toHaveLength(4);
  b.end();
  c.end();
  expect(await Promise.all([second, other])).toEqual(['b', 'c']);
  await third;
  expect(did.slice(4)).toEqual(['b ends', 'c ends', 'd starts']);
});

it('goes on after work that failed', async () => {
  const turns = createOneAtATime();
  const failing = turns.take('ann', () => Promise.reject(new Error('no')));
  const next = turns.take('ann', async () => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
