import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { runMixedTransactions } from '../../../../tests/store/mixed-transactions.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { makeTestDirectory, postmasterPid } from '../../../../tests/store/test-database.ts';
import { type TestDatabase, useTestDatabase } from '../../../../tests/store/use-test-database.ts';
import { openSlowProxy } from '../../../../tests/store/slow-proxy.ts';
import { backUp } from '../backup/backup.ts';
import { RESTORING } from './base-lock.ts';
import { listenForChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { readSetting, writeSetting } from './settings.ts';

/** Of this program. */
const MIGRATIONS = readdirSync(join(import.meta.dirname, '../../migrations')).filter((name) =>
  name.endsWith('.sql'),
).length;

let opened: TestDatabase;
let databases = 0;
useTestDatabase((started) => void (opened = started));

/** The URL of a new, empty database: a PostgreSQL of one's own, reached by its socket. */
async function makeUrl(): Promise<string> {
  const name = `own_${databases++}`;
  await opened.database.pool.query(`CREATE DATABASE ${name}`);
  return `postgresql://croft@localhost/${name}?host=${encodeURIComponent(String(opened.database.connection().host))}`;
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const tablesOf = (client: pg.Client) =>
  client
    .query(
      "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    )
    .then((result) => result.rows as unknown[]);

test('twenty workers mix transactions on the same rows without an error', async () => {
  const { errors } = await runMixedTransactions(opened.database.db, 20, 50);
  expect(errors).toEqual([]);
  expect(opened.database.pool.totalCount).toBeLessThanOrEqual(10);
});

describe('a database of one’s own', () => {
  test('gets the same tables as the embedded one, and keeps its rows', async () => {
    const url = await makeUrl();
    const first = openDatabase({ url });
    await first.ready;
    await writeSetting(first.db, 'kept', 1);
    await first.close();
    const second = openDatabase({ url });
    expect(await readSetting(second.db, 'kept')).toBe(1);
    expect(second.isUp()).toBe(true);
    await second.close();
    const embedded = await opened.database.pool.query(
      "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    );
    expect(await withClient(url, tablesOf)).toEqual(embedded.rows);
    expect(embedded.rows.length).toBeGreaterThan(50);
  });

  test('has seen every connection end when it is closed', async () => {
    const url = new URL(await makeUrl());
    const proxy = await openSlowProxy(String(url.searchParams.get('host')));
    url.searchParams.set('host', proxy.directory);
    const database = openDatabase({ url: url.href });
    await database.ready;
    const handlers = { onChange: async () => {}, onMissed: async () => {}, onError: () => {} };
    const listener = listenForChanges(database, handlers);
    await expect.poll(() => listener.isFresh()).toBe(true);
    await database.pool.query('SELECT 1');
    proxy.holdEnds();
    let closed = 0;
    const closing = [listener, database].map((one) => one.close().then(() => closed++));
    await expect.poll(() => proxy.heldEnds()).toBe(2);
    expect(closed).toBe(0);
    proxy.release();
    await Promise.all(closing);
    await proxy.close();
  });

  test('is migrated once by several servers that start at once', async () => {
    const url = await makeUrl();
    const several = Array.from({ length: 6 }, () => openDatabase({ url }));
    await Promise.all(several.map((one) => one.ready));
    const { rows } = await (several[0] as (typeof several)[0]).pool.query('SELECT * FROM croft_migration');
    expect(rows).toHaveLength(MIGRATIONS);
    await Promise.all(several.map((one) => one.close()));
  });

  test('is left alone when a newer program has changed it, and by a migration that fails half way', async () => {
    const url = await makeUrl();
    const newer = makeTestDirectory();
    cpSync(join(import.meta.dirname, '../../migrations'), newer, { recursive: true });
    const journal = JSON.parse(readFileSync(join(newer, 'meta/_journal.json'), 'utf8')) as { entries: object[] };
    journal.entries.push({
      idx: MIGRATIONS,
      version: '7',
      when: 4_000_000_000_000,
      tag: '9999_next',
      breakpoints: true,
    });
    writeFileSync(join(newer, 'meta/_journal.json'), JSON.stringify(journal));
    writeFileSync(join(newer, '9999_next.sql'), 'CREATE TABLE next (n int);\n--> statement-breakpoint\nSELECT 1 / 0;');
    await withClient(url, async (client) => {
      await expect(migrate(client, newer)).rejects.toThrow('division by zero');
      expect(await tablesOf(client)).toEqual([]);
      writeFileSync(join(newer, '9999_next.sql'), 'CREATE TABLE next (n int);');
      await migrate(client);
      await migrate(client, newer);
      await migrate(client, newer);
      const { rows } = await client.query('SELECT * FROM croft_migration');
      expect(rows).toHaveLength(MIGRATIONS + 1);
    });
    const older = openDatabase({ url });
    await expect(older.ready).rejects.toMatchObject({
      code: 'newer_database',
      message: expect.stringContaining('install the newest version'),
    });
    await older.close();
    rmSync(newer, { recursive: true });
  });

  test.each([
    'mysql://croft:s3cret-word@localhost/croft',
    'postgresql://croft:s3cret-word@localhost:99999999/croft',
    'postgresql://croft:s3cret-word@[localhost/croft',
    's3cret-word',
  ])('is refused with how to write its URL, and never the password: %s', (url) => {
    let refusal: unknown;
    try {
      openDatabase({ url });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'bad_url',
      message: expect.stringContaining('postgresql://user:password@host'),
    });
    expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain('s3cret-word');
  });

  test('that does not answer is named, without the password', async () => {
    const lines: string[] = [];
    const database = openDatabase({
      url: 'postgresql://croft:s3cret-word@127.0.0.1:1/croft',
      reachTimeoutMs: 100,
      log: (line) => lines.push(line),
    });
    const failure: unknown = await database.ready.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unreachable', message: expect.stringContaining('croft at 127.0.0.1:1') });
    // Said at the first failure, and not only when the time is over.
    expect(lines).toEqual([
      'WARNING: the database at 127.0.0.1:1 does not answer (ECONNREFUSED). Trying again for 1 s. Is DATABASE_URL right?',
    ]);
    expect(inspect([failure, lines, database.pool.options], { depth: 9 })).not.toContain('s3cret-word');
    expect(database.isUp()).toBe(false);
    await expect(database.db.execute('SELECT 1')).rejects.toThrow();
    await database.close();
  });

  test('is waited for when it is still starting', async () => {
    const host = makeTestDirectory();
    const database = openDatabase({ url: `postgresql://croft@localhost/croft?host=${encodeURIComponent(host)}` });
    const reading = readSetting(database.db, 'nothing');
    await sleep(50);
    symlinkSync(join(String(opened.database.connection().host), '.s.PGSQL.5432'), join(host, '.s.PGSQL.5432'));
    expect(await reading).toBeUndefined();
    await database.close();
    rmSync(host, { recursive: true });
  });

  test('keeps a second server and a backup out of the base directory until it is closed', async () => {
    const holds = testDir();
    const target = join(testDir(), 'backup');
    const url = await makeUrl();
    const database = openDatabase({ url, holds });
    await database.ready;
    const second = openDatabase({ url, holds });
    await expect(second.ready).rejects.toMatchObject({ code: 'base_in_use' });
    await second.close();
    const back = () => backUp({ baseDir: holds, target, croft: '1' });
    await expect(back()).rejects.toMatchObject({ code: 'base_in_use' });
    await database.close();
    expect(await back()).toMatchObject({ hasDatabase: false });
  });

  test('is not opened for a base directory whose restore did not end', async () => {
    const holds = testDir();
    writeFileSync(join(holds, RESTORING), '');
    const database = openDatabase({ url: await makeUrl(), holds });
    await expect(database.ready).rejects.toMatchObject({ code: 'base_unusable', message: /did not complete/ });
    await database.close();
  });

  test('is opened for a base directory that holds no sockets, with a warning', async () => {
    const holds = testDir();
    const lines: string[] = [];
    const open = async () => {
      const database = openDatabase({ url: await makeUrl(), holds, log: (line) => lines.push(line) });
      try {
        await database.ready;
      } finally {
        await database.close();
      }
    };
    // A file in the place of the directory for sockets.
    writeFileSync(join(holds, '.lock'), '');
    await open();
    expect(lines).toEqual([expect.stringMatching(/^WARNING: this server runs without a lock of its base directory/)]);
    writeFileSync(join(holds, RESTORING), '');
    await expect(open()).rejects.toMatchObject({ message: /did not complete/ });
  });
});

test('the log of the embedded database holds no value of a query that failed', async () => {
  const baseDir = makeTestDirectory();
  const lines: string[] = [];
  const database = openDatabase({ baseDir, log: (line) => lines.push(line) });
  const [value] = ['s3cret-value'];
  await expect(database.pool.query('SELECT $1::int', [value])).rejects.toThrow(value);
  await database.pool.query('CREATE TABLE one (value text UNIQUE)');
  const twice = 'INSERT INTO one VALUES ($1), ($1)';
  await expect(database.pool.query(twice, [value])).rejects.toMatchObject({ detail: expect.stringContaining(value) });
  // What PostgreSQL writes at its end comes after everything else that it wrote.
  await database.close();
  expect(lines.join('\n')).toContain('shut down');
  expect(lines.join('\n')).not.toContain(value);
  rmSync(baseDir, { recursive: true });
});

test('transactions that cannot begin give their connections back', async () => {
  const { db, pool } = opened.database;
  const begin = () => db.transaction(async () => {}, { isolationLevel: 'nonsense' as 'serializable' });
  for (let n = 0; n < 11; n++) await expect(begin()).rejects.toThrow('isolation level nonsense');
  expect(pool.totalCount - pool.idleCount).toBe(0);
  await db.transaction((tx) => writeSetting(tx, 'after', 1));
});

test('queries sent while the embedded database is being started again wait for it', async () => {
  const { database } = opened;
  await writeSetting(database.db, 'before', 1);
  process.kill(postmasterPid(opened.baseDir), 'SIGKILL');
  while (database.isUp()) await sleep(1);
  const values = await Promise.all(Array.from({ length: 30 }, () => readSetting(database.db, 'before')));
  expect(values.every((value) => value === 1)).toBe(true);
  expect(database.isUp()).toBe(true);
});

test('can be closed before it is ready, and twice', async () => {
  const baseDir = makeTestDirectory();
  const database = openDatabase({ baseDir });
  await Promise.all([database.close(), database.close()]);
  expect(database.isUp()).toBe(false);
  const again = openDatabase({ baseDir });
  await again.ready;
  await again.close();
  rmSync(baseDir, { recursive: true });
});
