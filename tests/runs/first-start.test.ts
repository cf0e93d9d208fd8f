import pg from 'pg';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../store/test-database.ts';
import { openWithoutWorker } from './killed-runs.ts';
import { chainOf } from './test-components.ts';

it('queues runs after a process was killed while it made the tables of the queue', async () => {
  const { database, close } = await openTestDatabase();
  const connection = database.connection();
  try {
    await leaveFirstTables(connection);
    const runs = await openWithoutWorker(connection);
    await expect(runs.enqueue({ userId: 'u', flow: chainOf(['Effect']) })).resolves.toMatch(/./);
    await runs.close();
  } finally {
    await close();
  }
});

/** The state after the first migrations of DBOS, which make its tables without later columns. */
async function leaveFirstTables(connection: pg.ClientConfig): Promise<void> {
  const from = createRequire(new URL('../../packages/runs/src/engine.ts', import.meta.url));
  const inside = join(dirname(from.resolve('@dbos-inc/dbos-sdk')), 'sysdb_migrations/internal/migrations.js');
  const { allMigrations } = from(inside) as {
    allMigrations(schema: string): readonly { readonly pg?: readonly string[] }[];
  };
  const client = new pg.Client(connection);
  await client.connect();
  const first = allMigrations('croft_dbos').slice(0, 3);
  for (const statement of first.flatMap(({ pg: statements = [] }) => statements)) await client.query(statement);
  await client.query(`INSERT INTO croft_dbos.dbos_migrations VALUES (${first.length})`);
  await client.end();
}
