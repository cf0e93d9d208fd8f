import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow, flowLink, webhook } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { createFlow } from './create-flow.ts';
import { isTriggered, readTriggers, scheduledFlows } from './flow-triggers.ts';
import { listFlows } from './list-flows.ts';
import { shareFlow } from './share-flow.ts';

let db: Db;
const ids: Record<string, string> = {};
useSharedDatabase((database) => void (db = database.db), ['fr-ann', 'fr-bob']);

beforeEach(async () => {
  await db.delete(flow);
  await db.update(user).set({ role: 'admin' }).where(eq(user.id, 'fr-ann'));
  for (const name of ['plain', 'hooked', 'linked', 'scheduled'])
    ids[name] = (await createFlow(db, 'fr-ann', emptyFlow(name))).flow.id;
});

const addHook = (userId: string, flowId: string | undefined, fields: Partial<typeof webhook.$inferInsert> = {}) =>
  db.insert(webhook).values({
    id: `${userId}-${flowId}-${Math.random()}`,
    userId,
    flowId: flowId ?? '',
    name: 'Hook',
    isOn: true,
    sealed: '',
    keyId: 'k',
    ...fields,
  });
const addLink = (flowId: string | undefined) => db.insert(flowLink).values({ id: `l-${flowId}`, flowId: flowId ?? '' });
const schedule = (flowId: string | undefined, isOn: boolean, at: number, failure: string | null = null) => ({
  schedule: {
    id: `s${at}`,
    userId: 'fr-ann',
    flowId: flowId ?? '',
    cron: '* * * * *',
    timeZone: 'UTC',
    isOn,
    missed: 'skip' as const,
    overlap: 'skip' as const,
  },
  nextAt: isOn ? new Date(at) : null,
  failure,
});

const triggers = async (userId: string, schedules: Parameters<typeof readTriggers>[3] = []) => {
  const of = await readTriggers(db, userId, Object.values(ids), schedules);
  return (name: string) => of(ids[name] ?? '');
};
const NONE = { nextAt: null, schedules: 0, webhooks: 0, hasLink: false, failure: null };

it('counts webhooks and schedules that are on, with the next time and why the last start failed', async () => {
  await addHook('fr-ann', ids.hooked, { failure: 'No such model.' });
  await addHook('fr-ann', ids.hooked);
  await addHook('fr-ann', ids.plain, { isOn: false, failure: 'Off.' });
  await addLink(ids.linked);
  const of = await triggers('fr-ann', [
    schedule(ids.scheduled, true, 1_000),
    schedule(ids.scheduled, true, 2_000, 'It has no approval.'),
    schedule(ids.plain, false, 3_000, 'Paused.'),
    { schedule: null, nextAt: null, failure: 'It cannot be read.' },
  ]);
  expect([of('plain'), of('hooked'), of('linked'), of('scheduled')]).toEqual([
    NONE,
    { ...NONE, webhooks: 2, failure: 'No such model.' },
    { ...NONE, hasLink: true },
    { ...NONE, schedules: 2, nextAt: new Date(1_000), failure: 'It has no approval.' },
  ]);
});

it('shows a user who has a share neither the webhooks nor the link of the owner', async () => {
  for (const flowId of [ids.hooked, ids.linked])
    await shareFlow(db, { userId: 'fr-ann', flowId: flowId ?? '', email: 'fr-bob@example.test', access: 'edit' });
  await addHook('fr-ann', ids.hooked);
  await addLink(ids.linked);
  const of = await triggers('fr-bob');
  expect([of('hooked'), of('linked')]).toEqual([NONE, NONE]);
  expect((await listFlows(db, 'fr-bob', { limit: 9, where: isTriggered('fr-bob', []) })).flows).toEqual([]);
});

it('does not show a link that is closed because its owner is not an administrator', async () => {
  await addLink(ids.linked);
  await db.update(user).set({ role: 'user' }).where(eq(user.id, 'fr-ann'));
  expect((await triggers('fr-ann'))('linked')).toEqual(NONE);
  expect((await listFlows(db, 'fr-ann', { limit: 9, where: isTriggered('fr-ann', []) })).flows).toEqual([]);
});

it('reads nothing for a page without flows', async () => {
  const unread = {} as Db;
  expect((await readTriggers(unread, 'fr-ann', [], [schedule('f', true, 1)]))('f')).toEqual(NONE);
});

it('shows the failure of a schedule before that of a webhook, and only those of the asked flows', async () => {
  await addHook('fr-ann', ids.hooked, { failure: 'Of the webhook.' });
  await addLink(ids.linked);
  const failing = [schedule(ids.hooked, true, 1), schedule(ids.hooked, true, 2, 'Of the schedule.')];
  const of = await triggers('fr-ann', failing);
  expect(of('hooked')).toEqual({
    ...NONE,
    schedules: 2,
    webhooks: 1,
    nextAt: new Date(1),
    failure: 'Of the schedule.',
  });
  const plain = await readTriggers(db, 'fr-ann', [ids.plain ?? ''], []);
  expect([plain(ids.hooked ?? ''), plain(ids.linked ?? '')]).toEqual([NONE, NONE]);
});

it('lists only flows that run by themselves', async () => {
  await addHook('fr-ann', ids.hooked);
  await addHook('fr-ann', ids.plain, { isOn: false });
  await addLink(ids.linked);
  const schedules = [schedule(ids.scheduled, true, 1_000), schedule(ids.plain, false, 2_000)];
  const where = isTriggered('fr-ann', scheduledFlows(schedules));
  const { flows } = await listFlows(db, 'fr-ann', { limit: 9, where });
  expect(flows.map(({ name }) => name).sort()).toEqual(['hooked', 'linked', 'scheduled']);
});
