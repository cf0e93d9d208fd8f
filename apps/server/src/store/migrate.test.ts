import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { migrate } from './migrate.ts';

let pool: pg.Pool;
let client: pg.PoolClient;
useSharedDatabase((database) => void (pool = database.pool));
// A schema of its own, as a database that no server has used.
beforeEach(async () => {
  client = await pool.connect();
  await client.query(
    'DROP SCHEMA IF EXISTS migrate_test CASCADE; CREATE SCHEMA migrate_test; SET search_path = migrate_test',
  );
});
afterEach(async () => {
  await client.query('DROP SCHEMA migrate_test CASCADE; RESET search_path');
  client.release();
});

/** A directory of migrations. */
function migrations(...statements: string[]): string {
  const dir = testDir();
  mkdirSync(join(dir, 'meta'));
  const entries = statements.map((sql, idx) => {
    writeFileSync(join(dir, `000${idx}_step.sql`), sql);
    return { idx, version: '7', when: idx + 1, tag: `000${idx}_step`, breakpoints: true };
  });
  writeFileSync(join(dir, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }));
  return dir;
}
const FIRST = 'CREATE TABLE one (id int);--> statement-breakpoint\nINSERT INTO one VALUES (1);';
const SECOND = 'INSERT INTO one VALUES (2);';
const rows = async () =>
  (await client.query<{ id: number }>('SELECT id FROM one ORDER BY id')).rows.map(({ id }) => id);

it('makes each change once, in order', async () => {
  await migrate(client, migrations(FIRST));
  expect(await rows()).toEqual([1]);
  const both = migrations(FIRST, SECOND);
  await migrate(client, both);
  await migrate(client, both);
  expect(await rows()).toEqual([1, 2]);
});

it('makes all changes or none', async () => {
  await migrate(client, migrations(FIRST));
  await expect(migrate(client, migrations(FIRST, SECOND, 'NO SUCH STATEMENT'))).rejects.toThrow('syntax error');
  expect(await rows()).toEqual([1]);
  await migrate(client, migrations(FIRST, SECOND));
  expect(await rows()).toEqual([1, 2]);
});

it('refuses a database that a newer program has changed', async () => {
  await migrate(client, migrations(FIRST, SECOND));
  const older = migrate(client, migrations(FIRST));
  await expect(older).rejects.toMatchObject({
    code: 'newer_database',
    message: expect.stringContaining('(1 of its changes'),
  });
  await expect(migrate(client, migrations(FIRST, 'INSERT INTO one VALUES (3);'))).rejects.toMatchObject({
    code: 'newer_database',
  });
});
