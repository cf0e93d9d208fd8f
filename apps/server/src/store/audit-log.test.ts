import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { type AuditLog, createAuditLog, type StoredAuditEvent } from './audit-log.ts';
import type { Db } from './database.ts';
import { auditEvent, user } from './schema.ts';

let db: Db;
let log: AuditLog;
let errors: unknown[];
useSharedDatabase((database) => void (db = database.db), ['al-ann', 'al-bob']);
const limits = { days: 90, ofUsers: 3, ofOthers: 2 };
const open = (on: Db, pruneAfter?: number) =>
  createAuditLog(on, {
    storage: async () => undefined,
    onError: (error) => void errors.push(error),
    limits,
    ...(pruneAfter !== undefined && { pruneAfter }),
  });
beforeEach(async () => {
  errors = [];
  await db.delete(auditEvent);
  log = open(db);
});

const NOW = new Date('2030-05-20T12:00:00Z');
const event = (userId: string | null, action: string, at = NOW): StoredAuditEvent => ({
  at,
  action,
  outcome: 'ok',
  userId,
  via: null,
  address: '127.0.0.1',
  targets: ['a.txt'],
  targetCount: 1,
  changes: [],
});
const actions = async (filter: Partial<Parameters<AuditLog['list']>[0]> = {}) =>
  (await log.list({ limit: 50, ...filter })).map(({ action }) => action);

it('lists the newest first, with filters and the names of users', async () => {
  log.add(event('al-ann', 'deleteFlow'));
  log.add(event('al-bob', 'deleteFlow'));
  log.add(event('al-gone', 'signIn'));
  expect(await log.list({ limit: 50 })).toMatchObject([
    { action: 'signIn', userId: 'al-gone', userName: null },
    { action: 'deleteFlow', userName: 'al-bob', targets: ['a.txt'], targetCount: 1, address: '127.0.0.1', at: NOW },
    { action: 'deleteFlow', userName: 'al-ann' },
  ]);
  expect(await actions({ userId: 'al-bob' })).toEqual(['deleteFlow']);
  expect(await actions({ action: 'signIn' })).toEqual(['signIn']);
  const [newest] = await log.list({ limit: 1 });
  expect((await log.list({ limit: 50, before: newest?.id ?? 0 })).map(({ userId }) => userId)).toEqual([
    'al-bob',
    'al-ann',
  ]);
});

it('keeps the latest events of users, and separately the latest of others', async () => {
  for (const name of ['a', 'b', 'c', 'd']) log.add(event('al-ann', name));
  for (const name of ['w', 'x', 'y', 'z']) log.add(event(null, name));
  await actions();
  await log.prune(NOW);
  expect(await actions()).toEqual(['z', 'y', 'd', 'c', 'b']);
});

it('keeps other events when one user repeats an action, whether it succeeds or fails', async () => {
  log.add(event('al-bob', 'updateUser'));
  log.add(event('al-ann', 'deleteFiles'));
  for (let each = 0; each < 20; each += 1) log.add({ ...event('al-ann', 'deleteFiles'), outcome: 'not_found' });
  await actions();
  await log.prune(NOW);
  const kept = (await log.list({ limit: 50 })).map(({ action, outcome }) => `${action} ${outcome}`);
  expect(kept).toEqual(['deleteFiles not_found', 'deleteFiles ok', 'updateUser ok']);
});

it('keeps the refused sign-ins of other addresses when one address repeats its own', async () => {
  log.add({ ...event(null, 'signIn'), address: '192.0.2.1' });
  for (let each = 0; each < 20; each += 1) log.add({ ...event(null, 'signIn'), address: '192.0.2.2' });
  await actions();
  await log.prune(NOW);
  expect((await log.list({ limit: 50 })).map(({ address }) => address)).toEqual(['192.0.2.2', '192.0.2.1']);
});

it('prunes between the hours when many events were written', async () => {
  const busy = open(db, 10);
  for (let each = 0; each < 9; each += 1) busy.add(event('al-ann', 'deleteFiles', new Date()));
  expect(await busy.list({ limit: 50 })).toHaveLength(9);
  busy.add(event('al-ann', 'deleteFiles', new Date()));
  expect(await busy.list({ limit: 50 })).toHaveLength(3);
  await busy.close();
});

it('deletes events after 90 days', async () => {
  const DAY_MS = 86_400_000;
  log.add(event('al-ann', 'old', new Date(NOW.getTime() - 91 * DAY_MS)));
  log.add(event('al-ann', 'young', new Date(NOW.getTime() - 89 * DAY_MS)));
  await actions();
  await log.prune(NOW);
  expect(await actions()).toEqual(['young']);
});

it('keeps events of a user who was removed', async () => {
  await db.insert(user).values({ id: 'al-cat', name: 'Cat', email: 'cat@example.test' });
  log.add(event('al-cat', 'deleteFlow'));
  await actions();
  await db.delete(user).where(eq(user.id, 'al-cat'));
  expect(await log.list({ limit: 1 })).toMatchObject([{ userId: 'al-cat', userName: null }]);
});

it('writes events that could not be written with the next ones, and those that wait when it closes', async () => {
  let isDown = true;
  const failing = new Proxy(db, {
    get: (target, name, receiver) => {
      if (name === 'insert' && isDown) throw new Error('down');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const other = open(failing);
  other.add(event('al-ann', 'first'));
  expect(await other.list({ limit: 9 })).toEqual([]);
  expect(errors).toHaveLength(1);
  isDown = false;
  // Without another event.
  await expect.poll(() => actions()).toEqual(['first']);
  other.add(event('al-ann', 'second'));
  await other.close();
  expect(await actions()).toEqual(['second', 'first']);
});
