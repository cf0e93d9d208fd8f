import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from './database.ts';
import { longestGroup, pruneAuditLog } from './prune-audit-log.ts';
import { auditEvent } from './schema.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db));
beforeEach(() => db.delete(auditEvent));

const NOW = new Date('2030-05-20T12:00:00Z');
const DAY_MS = 86_400_000;

interface Row {
  readonly userId?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly address?: string | null;
  readonly at?: Date;
  /** For the assertions. */
  readonly name: string;
}

async function add(rows: readonly Row[]): Promise<void> {
  for (const { userId = null, action = 'signIn', outcome = 'ok', address = 'a', at = NOW, name } of rows)
    await db
      .insert(auditEvent)
      .values({ at, action, outcome, userId, via: null, address, targets: [name], targetCount: 1, changes: [] });
}
const times = (count: number, row: Row): Row[] =>
  Array.from({ length: count }, (_, index) => ({ ...row, name: `${row.name}${index}` }));

async function kept(limits: { days?: number; ofUsers?: number; ofOthers?: number }): Promise<string[]> {
  await pruneAuditLog(db, { days: 90, ofUsers: 100, ofOthers: 100, ...limits }, NOW);
  const rows = await db.select().from(auditEvent).orderBy(auditEvent.id);
  return rows.map(({ targets }) => String(targets[0]));
}

it('deletes the events that are older than the number of days', async () => {
  await add([
    { name: 'old', at: new Date(NOW.getTime() - 2 * DAY_MS - 1) },
    { name: 'at the limit', at: new Date(NOW.getTime() - 2 * DAY_MS) },
    { name: 'old of a user', userId: 'u', at: new Date(NOW.getTime() - 3 * DAY_MS) },
    { name: 'new', userId: 'u' },
  ]);
  expect(await kept({ days: 2 })).toEqual(['at the limit', 'new']);
});

it('deletes the oldest events of the largest groups of a user, an action and success', async () => {
  await add([
    ...times(3, { name: 'large', userId: 'u', action: 'x' }),
    { name: 'failed', userId: 'u', action: 'x', outcome: 'denied' },
    { name: 'failed otherwise', userId: 'u', action: 'x', outcome: 'busy' },
    { name: 'other action', userId: 'u', action: 'y' },
    { name: 'other user', userId: 'v', action: 'x' },
    ...times(2, { name: 'stranger' }),
  ]);
  expect(await kept({ ofUsers: 7 })).toHaveLength(9);
  expect(await kept({ ofUsers: 6 })).toEqual([
    'large1',
    'large2',
    'failed',
    'failed otherwise',
    'other action',
    'other user',
    'stranger0',
    'stranger1',
  ]);
  expect(await kept({ ofUsers: 4 })).toEqual([
    'large2',
    'failed otherwise',
    'other action',
    'other user',
    'stranger0',
    'stranger1',
  ]);
});

it('groups the events of callers who were not signed in by their address', async () => {
  await add([
    { name: 'first', address: 'b' },
    { name: 'without address', address: null },
    ...times(4, { name: 'many' }),
    ...times(2, { name: 'user', userId: 'u' }),
  ]);
  expect(await kept({ ofOthers: 4, ofUsers: 2 })).toEqual([
    'first',
    'without address',
    'many2',
    'many3',
    'user0',
    'user1',
  ]);
});

it('keeps the latest events where there are more groups than events to keep', async () => {
  await add(['a', 'b', 'c'].map((address) => ({ name: address, address })));
  expect(await kept({ ofOthers: 2 })).toEqual(['b', 'c']);
});

it.each([
  ['small groups stay whole and the largest ones share the rest', [1, 2, 50, 90], 23, 10],
  ['all groups have the same share', [10, 10, 10], 9, 3],
  ['each group keeps one event where there are more groups than events', [1, 1, 5], 2, 1],
  ['groups within the bound stay whole', [2, 3], 10, 10],
  ['the order of the groups does not count', [90, 1, 50, 2], 23, 10],
  ['a share is rounded down', [10, 10], 7, 3],
])('%s', (_, sizes, most, expected) => {
  expect(longestGroup(sizes, most)).toBe(expected);
});
