import { expect, it } from 'vitest';
import { endWithin } from './wait.ts';

it('gives the end of work that ends in time', async () => {
  expect(await endWithin(Promise.resolve('done'))).toBe('done');
  await expect(endWithin(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('gives nothing for work that takes longer', async () => {
  expect(await endWithin(new Promise(() => {}), 1)).toBeUndefined();
});
