import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { Db } from '../store/database.ts';
import { readSetting } from '../store/settings.ts';
import { sealingKeys } from '../variables/sealing-keys.ts';
import { announceGroup, refuseForeignGroup, refuseWorkerSettings, workerGroupOf } from './worker-group.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db));
const databaseUrl = 'postgres://db.test/croft';

it('has one id for each base directory on a shared database', () => {
  const baseDir = testDir();
  const group = workerGroupOf({ baseDir, databaseUrl });
  expect(group).toMatch(/^[0-9a-f]{16}$/);
  expect(workerGroupOf({ baseDir, databaseUrl })).toBe(group);
  expect(workerGroupOf({ baseDir: testDir(), databaseUrl })).not.toBe(group);
});

it('needs none for the embedded database', () => {
  const baseDir = testDir();
  expect(workerGroupOf({ baseDir, databaseUrl: undefined })).toBe('');
  expect(statSync(join(baseDir, 'worker-group'), { throwIfNoEntry: false })).toBeUndefined();
});

it('lets a worker run only with the database and the base directory of a server', () => {
  const baseDir = testDir();
  expect(() => refuseWorkerSettings({ baseDir, databaseUrl: undefined })).toThrow('A worker needs DATABASE_URL');
  expect(() => refuseWorkerSettings({ baseDir, databaseUrl })).toThrow('is not the base directory of a server');
  workerGroupOf({ baseDir, databaseUrl });
  expect(() => refuseWorkerSettings({ baseDir, databaseUrl })).not.toThrow();
});

it('lets a worker run only with the key of its server, also where the server has a new one', async () => {
  await expect(refuseForeignGroup(db, 'wg-1', ['key'])).rejects.toThrow(
    'No server with this base directory uses this database',
  );
  await announceGroup(db, 'wg-1', ['key', 'older']);
  await refuseForeignGroup(db, 'wg-1', ['key']);
  await refuseForeignGroup(db, 'wg-1', ['newer', 'key']);
  await expect(refuseForeignGroup(db, 'wg-1', ['other'])).rejects.toThrow('The secret key is not that of the server');
  await expect(refuseForeignGroup(db, 'wg-1', ['older'])).rejects.toThrow('The secret key is not that of the server');
});

it('stores nothing of the key, and nothing without a group', async () => {
  await announceGroup(db, 'wg-2', ['canary key']);
  expect(JSON.stringify(await readSetting(db, 'worker-group:wg-2'))).not.toContain('canary');
  await announceGroup(db, '', ['key']);
  expect(await readSetting(db, 'worker-group:')).toBeUndefined();
});

it('stores the id of the newest key for runs', async () => {
  await announceGroup(db, 'wg-3', ['key', 'older']);
  const [key] = sealingKeys(['key'], 'runs');
  expect(await readSetting(db, 'worker-group:wg-3')).toEqual({ keyId: key?.id });
});
