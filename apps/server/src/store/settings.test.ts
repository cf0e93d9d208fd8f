import { expect, test } from 'vitest';
import { useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import type { Db } from './database.ts';
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
