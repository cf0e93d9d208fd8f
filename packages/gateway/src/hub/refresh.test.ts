import { expect, it } from 'vitest';
import type { EndpointParts } from './endpoint.ts';
import { refresh } from './refresh.ts';

/** Refreshes a user whose machine has this key, and says what happened. */
async function run(
  key: { isStatic?: boolean; isOfUser?: boolean; none?: boolean; isOff?: boolean },
  endsStatic = false,
) {
  const seen: string[] = [];
  const parts = {
    switches: { reload: async () => seen.push('reloaded') > 0 && key.isOff !== true },
    perUser: { run: (_: string, act: () => Promise<unknown>) => act() },
    keys: { isStatic: () => key.isStatic === true, isOfUser: async () => key.isOfUser === true },
    machines: {
      ofUser: () => (key.none ? undefined : { machine: { keyHash: 'k' }, endCalls: () => seen.push('calls') }),
      end: (...given: string[]) => void seen.push(given.join(' ')),
    },
    statuses: { changed: (userId: string) => void seen.push(`changed ${userId}`) },
  } as unknown as EndpointParts;
  await refresh(parts, 'ann', endsStatic);
  return seen;
}
const ENDED = 'ann disconnected disconnected';

it('reads the switch again, and ends a connection whose key is gone', async () => {
  expect(await run({ isOfUser: true })).toEqual(['reloaded', 'changed ann']);
  expect(await run({ isOfUser: false })).toEqual(['reloaded', ENDED, 'changed ann']);
  expect(await run({ none: true })).toEqual(['reloaded', 'changed ann']);
});

it('ends the calls of a machine that was switched off', async () => {
  expect(await run({ isOfUser: true, isOff: true })).toEqual(['reloaded', 'calls', 'changed ann']);
  expect(await run({ none: true, isOff: true })).toEqual(['reloaded', 'changed ann']);
});

it('ends one with the configured key only where that is asked for', async () => {
  expect(await run({ isStatic: true })).toEqual(['reloaded', 'changed ann']);
  expect(await run({ isStatic: true }, true)).toEqual(['reloaded', ENDED, 'changed ann']);
  expect(await run({ isStatic: true, isOfUser: false })).toEqual(['reloaded', 'changed ann']);
});
