import { expect, it } from 'vitest';
import { type TestRuns, useRunStore } from '../../../tests/runs/use-run-store.ts';
import { oneAtATime } from './one-at-a-time.ts';

let runs: TestRuns;
useRunStore((opened) => void (runs = opened));

it('runs one work after the other, also where it creates an index concurrently', async () => {
  const { pool } = runs.store;
  await pool.query('CREATE TABLE one_at_a_time (id int)');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await pool.query(`CREATE INDEX CONCURRENTLY one_at_a_time_${name} ON one_at_a_time (id)`);
    order.push(`${name} ends`);
    return name;
  };
  expect((await Promise.all([oneAtATime(pool, work('a')), oneAtATime(pool, work('b'))])).sort()).toEqual(['a', 'b']);
  expect(order.map((each) => each.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
  await pool.query('DROP TABLE one_at_a_time');
});

it('lets the next one begin after a failure', async () => {
  const { pool } = runs.store;
  const failing = oneAtATime(pool, () => Promise.reject(new Error('no table')));
  await expect(failing).rejects.toThrow('no table');
  expect(await oneAtATime(pool, () => Promise.resolve('done'))).toBe('done');
});
