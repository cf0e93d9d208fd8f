import { expect, it } from 'vitest';
import { Problem } from './problem.ts';
import { createReadiness, isNotYet } from './readiness.ts';
import type { Database } from './store/database.ts';

const db = { name: 'db' };
const database = (isUp = true) => ({ db, isUp: () => isUp }) as unknown as Database;
const settled = () => new Promise((done) => setImmediate(done));

it('waits until the database is prepared', async () => {
  let prepare = () => {};
  const readiness = createReadiness(database(), new Promise<void>((resolve) => (prepare = resolve)));
  expect([readiness.db, readiness.isReady()]).toEqual([db, false]);
  const waiting = readiness.storage();
  prepare();
  expect(await waiting).toBe(db);
  expect([readiness.isReady(), await readiness.storage()]).toEqual([true, db]);
});

it('asks to try again where the database takes too long, or cannot start', async () => {
  const late = createReadiness(database(), new Promise(() => {}), 1);
  await expect(late.storage()).rejects.toMatchObject({
    status: 503,
    code: 'starting',
    headers: { 'Retry-After': '5' },
  });
  const broken = createReadiness(database(), Promise.reject(new Error('no disk')), 10_000);
  const failure = await broken.storage().catch((error: unknown) => error);
  expect([isNotYet(failure), broken.isReady()]).toEqual([true, false]);
});

it('is not ready while a database that was prepared is down', async () => {
  const readiness = createReadiness(database(false), Promise.resolve());
  await settled();
  expect([readiness.isReady(), await readiness.storage()]).toEqual([false, db]);
});

it('tells a database that is not there yet from other problems', () => {
  expect(isNotYet(new Problem(503, 'starting', ''))).toBe(true);
  expect([isNotYet(new Problem(503, 'disk_full', '')), isNotYet(new Error('starting'))]).toEqual([false, false]);
});
