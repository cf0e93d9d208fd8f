import { expect, it } from 'vitest';
import { collectGarbage } from '../../../tests/support/collect-garbage.ts';
import { limitedSignal } from './limited-signal.ts';

it('aborts after the limit, also after a garbage collection', async () => {
  const limited = limitedSignal(new AbortController().signal, 50);
  await new Promise(setImmediate);
  collectGarbage();
  await expect.poll(() => limited.aborted).toBe(true);
  expect(limited.reason).toMatchObject({ name: 'TimeoutError' });
});

it('aborts with the given signal', () => {
  const given = new AbortController();
  const limited = limitedSignal(given.signal, 60_000);
  given.abort(new Error('No longer wanted'));
  expect(limited.reason).toMatchObject({ message: 'No longer wanted' });
});
