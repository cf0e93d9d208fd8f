import { expect, it } from 'vitest';
import { cleanUp } from './clean-up.ts';

it('does each step after the one before, also after one that failed', async () => {
  const done: string[] = [];
  const slow = async () => {
    await Promise.resolve();
    done.push('slow');
  };
  const failing = () => Promise.reject(new Error('too long'));
  await cleanUp([slow, failing, async () => done.push('last')], (error) => done.push(String(error)));
  expect(done).toEqual(['slow', 'Error: too long', 'last']);
});
