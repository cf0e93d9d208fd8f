import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Database } from './database.ts';
import { GatedPool } from './gated-pool.ts';

let database: Database;
const pools: GatedPool[] = [];
useSharedDatabase((opened) => void (database = opened));
afterEach(async () => {
  for (const pool of pools.splice(0)) if (!pool.ending) await pool.end();
});

function open(over: pg.PoolConfig = {}): GatedPool {
  const pool = new GatedPool({ ...database.connection(), max: 1, ...over });
  pools.push(pool);
  return pool;
}

it('waits for its gate before it connects', async () => {
  const pool = open();
  let pass: () => void = () => {};
  pool.gate = () => new Promise((resolve) => (pass = resolve));
  const asking = pool.query('SELECT 1 AS one');
  await new Promise((done) => setImmediate(done));
  expect(pool.totalCount).toBe(0);
  pass();
  expect((await asking).rows).toEqual([{ one: 1 }]);
});

it('fails with the failure of its gate, for promises and callbacks', async () => {
  const pool = open();
  pool.gate = () => Promise.reject(new Error('no database'));
  await expect(pool.connect()).rejects.toThrow('no database');
  expect(await new Promise((done) => pool.connect((error) => done(error?.message)))).toBe('no database');
});

it('waits for a database that refuses connections, and gives up after a while', async () => {
  const { host } = database.connection() as { host: string };
  const pool = open({ host: '/no-such-directory' });
  let tries = 0;
  pool.gate = async () => {
    if (++tries === 2) Object.assign(pool.options, { host });
  };
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(tries).toBe(2);
  const away = open({ host: '/no-such-directory' });
  away.patienceMs = 0;
  await expect(away.query('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
});

it('does not wait where waiting does not help', async () => {
  await expect(open({ user: 'nobody-there' }).query('SELECT 1')).rejects.toMatchObject({ code: '28000' });
});

it('gives a connection back whose first statement fails', async () => {
  const pool = open();
  const client = await pool.connect();
  await expect(client.query('NO SUCH STATEMENT')).rejects.toThrow();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.release();
  client.release();
  const next = await pool.connect();
  await next.query('SELECT 1');
  await expect(next.query('NO SUCH STATEMENT')).rejects.toThrow();
  expect(pool.idleCount).toBe(0);
  next.release();
  expect(pool.idleCount).toBe(1);
});

it('waits for running statements and for the end of its connections', async () => {
  const pool = open();
  const client = await pool.connect();
  let two: unknown;
  const running = client.query('SELECT pg_sleep(0.02)::text, 2 AS two').then(({ rows }) => {
    ({ two } = rows[0]);
    client.release();
  });
  await pool.end();
  expect(two).toBe(2);
  await running;
  const other = open();
  await other.query('SELECT 1');
  await new Promise<void>((done) => other.end(done));
  expect(other.totalCount).toBe(0);
});
