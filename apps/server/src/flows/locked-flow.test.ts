import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { createFlow } from './create-flow.ts';
import { withLockedFlow } from './locked-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['lk-ann', 'lk-bob']);

it('lets a user change one flow at a time, and other users meanwhile', async () => {
  const flowOf = async (userId: string) => (await createFlow(db, userId, emptyFlow())).flow.id;
  const [one, two, other] = [await flowOf('lk-ann'), await flowOf('lk-ann'), await flowOf('lk-bob')];
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const change = (userId: string, flowId: string) =>
    withLockedFlow(db, { userId, flowId }, async (_, { id }) => {
      began.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      return id;
    });
  const changes = [change('lk-ann', one), change('lk-ann', two)];
  changes.push(change('lk-bob', other));
  await expect.poll(() => began.toSorted()).toEqual([one, other].toSorted());
  for (const end of ends.splice(0)) end();
  await expect.poll(() => began.at(-1)).toBe(two);
  ends[0]?.();
  expect(await Promise.all(changes)).toEqual([one, two, other]);
});

it('goes on with the next change after one that fails', async () => {
  const { id: flowId } = (await createFlow(db, 'lk-ann', emptyFlow())).flow;
  const failing = withLockedFlow(db, { userId: 'lk-ann', flowId }, async () => {
    throw new Error('stop');
  });
  const missing = withLockedFlow(db, { userId: 'lk-bob', flowId }, async () => 'changed');
  const next = withLockedFlow(db, { userId: 'lk-ann', flowId }, async (_, { version }) => version);
  await expect(failing).rejects.toThrow('stop');
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
  expect(await next).toBe(1);
});
