import { expect, test } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { Db } from './database.ts';
import { setting } from './schema.ts';
import { readSetting, writeSetting } from './settings.ts';

let db: Db;
useTestDatabase(({ database }) => void ({ db } = database));

test('settings come back as they were stored, and go when they are emptied', async () => {
  expect(await readSetting(db, 'local-access')).toBeUndefined();
  for (const value of [{ directory: '/ü' }, [1, null], 'text', false, 0]) {
    await writeSetting(db, 'local-access', value);
    expect(await readSetting(db, 'local-access')).toEqual(value);
  }
  await writeSetting(db, 'local-access', null);
  expect(await readSetting(db, 'local-access')).toBeUndefined();
});

test('settings have the time of their last change, and go for undefined, each key by itself', async () => {
  await writeSetting(db, 'kept', 1);
  await writeSetting(db, 'gone', 1);
  const timeOf = async () =>
    (await db.select().from(setting)).find(({ key }) => key === 'gone')?.updatedAt.getTime() ?? 0;
  await db.update(setting).set({ updatedAt: new Date(0) });
  await writeSetting(db, 'gone', 2);
  expect(await timeOf()).toBeGreaterThan(0);
  await writeSetting(db, 'gone', undefined);
  expect([await readSetting(db, 'gone'), await readSetting(db, 'kept')]).toEqual([undefined, 1]);
});
