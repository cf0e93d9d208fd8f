import { emptyFlow } from '@croft/flow';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { deleteFlow } from '../flows/deleted-flows.ts';
import type { Identified } from '../identify.ts';
import type { Db } from './database.ts';
import { createUserTouches, readUserActivity, touching } from './user-activity.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['ua-ann', 'ua-bob']);

it('stores the latest request of each user, and none of a removed one', async () => {
  const errors: unknown[] = [];
  const touches = createUserTouches(db, (error) => void errors.push(error));
  touches.touch('ua-ann', new Date(5_000));
  touches.touch('ua-gone', new Date(5_000));
  await touches.flush();
  // Another server wrote a later time.
  touches.touch('ua-ann', new Date(2_000));
  await touches.close();
  const of = await readUserActivity(db);
  expect([of('ua-ann').lastActiveAt, of('ua-bob').lastActiveAt, errors]).toEqual([new Date(5_000), null, []]);
});

it('counts flows that are not deleted', async () => {
  await createFlow(db, 'ua-bob', emptyFlow('One'));
  const { flow } = await createFlow(db, 'ua-bob', emptyFlow('Two'));
  await deleteFlow(db, 'ua-bob', flow.id);
  const of = await readUserActivity(db);
  expect([of('ua-bob').flows, of('ua-ann').flows]).toEqual([1, 0]);
});

it('touches a user once for a request that is identified again while it lasts', async () => {
  const touched: string[] = [];
  const caller = { userId: 'ua-ann', role: 'user', via: 'session' } as const;
  let found: Identified | undefined = { caller };
  const identify = touching(async () => found, { touch: (id) => void touched.push(id) });
  const [first, second] = [{} as IncomingMessage, {} as IncomingMessage];
  expect(await identify(first)).toEqual({ caller });
  await identify(first);
  await identify(second);
  found = undefined;
  expect(await identify({} as IncomingMessage)).toBeUndefined();
  expect(touched).toEqual(['ua-ann', 'ua-ann']);
});
