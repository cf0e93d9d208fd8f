import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../tests/store/use-shared-database.ts';
import { createEndedSessions } from './ended-sessions.ts';
import type { Db } from './store/database.ts';
import { readSetting, writeSetting } from './store/settings.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db));

const SETTING = 'ended local sessions';
let reads = 0;
const open = (over: { isFresh?: () => boolean; now?: () => number } = {}) =>
  createEndedSessions(
    async () => {
      reads++;
      return db;
    },
    { lastsMs: 1_000, isFresh: () => true, ...over },
  );

it('remembers an ended session also after a restart, by its mark and without its signature', async () => {
  await writeSetting(db, SETTING, undefined);
  const ended = open();
  expect(await ended.has('a-1.signature')).toBe(false);
  await ended.add('a-1.signature');
  expect([await ended.has('a-1.signature'), await ended.has('a-1.other'), await ended.has('a-2.signature')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await open().has('a-1.signature')).toBe(true);
  expect(JSON.stringify(await readSetting(db, SETTING))).not.toContain('signature');
});

it('reads the database once, unless changes by others may be missing', async () => {
  const cached = open();
  await cached.has('x');
  reads = 0;
  await cached.has('x');
  expect(reads).toBe(0);
  await open().add('b-1.s');
  expect(await cached.has('b-1.s')).toBe(false);
  cached.reload();
  expect(await cached.has('b-1.s')).toBe(true);
  const stale = open({ isFresh: () => false });
  await stale.has('x');
  await open().add('b-2.s');
  expect(await stale.has('b-2.s')).toBe(true);
});

it('forgets sessions whose cookies have expired', async () => {
  await writeSetting(db, SETTING, undefined);
  let now = 10_000;
  const ended = open({ now: () => now });
  await ended.add('old.s');
  now += 1_000;
  await ended.add('new.s');
  expect(await readSetting(db, SETTING)).toEqual([['new', 12_000]]);
});

it('keeps a bounded number of sessions, the newest', async () => {
  await writeSetting(
    db,
    SETTING,
    Array.from({ length: 1_000 }, (_, at) => [`s-${at}`, Date.now() + 60_000]),
  );
  const ended = open();
  await ended.add('last.s');
  expect([await ended.has('s-0'), await ended.has('s-1'), await ended.has('last.s')]).toEqual([false, true, true]);
  expect(await readSetting(db, SETTING)).toHaveLength(1_000);
});

it('does not keep a failure, or a value of another form', async () => {
  let isUp = false;
  const ended = createEndedSessions(async () => (isUp ? db : Promise.reject(new Error('down'))), {
    lastsMs: 1_000,
    isFresh: () => true,
  });
  await expect(ended.has('x')).rejects.toThrow('down');
  isUp = true;
  await writeSetting(db, SETTING, { wrong: true });
  expect(await ended.has('x')).toBe(false);
});
