import { expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

it('tasks with one name run in their order, also after a failure, and other names beside them', async () => {
  const tasks = new OneAtATime();
  const order: string[] = [];
  let go = (): void => undefined;
  const first = tasks.run('a', async () => {
    await new Promise<void>((resolve) => (go = resolve));
    order.push('a1');
    throw new Error('broken');
  });
  const second = tasks.run('a', async () => void order.push('a2'));
  await tasks.run('b', async () => void order.push('b1'));
  expect(order).toEqual(['b1']);
  go();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(order).toEqual(['b1', 'a1', 'a2']);
});
