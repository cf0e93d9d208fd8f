import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { type Database, openDatabase } from '../../apps/server/src/store/database.ts';
import { user } from '../../apps/server/src/store/schema.ts';
import { copyNewDatabase } from '../../apps/server/src/testing-database.ts';

let opened: Promise<Database> | undefined;

/**
 * For tests: the database that all test files of this process share. Each file has users with names of its own, and looks at
 * their rows only. It ends with the process; the directory is removed after the last test of the run.
 */
export function useSharedDatabase(setUp: (database: Database) => unknown, users: readonly string[] = []): void {
  beforeAll(async () => {
    opened ??= open();
    const database = await opened;
    for (const id of users)
      await database.db
        .insert(user)
        .values({ id, name: id, email: `${id}@example.test` })
        .onConflictDoNothing();
    await setUp(database);
  });
}

async function open(): Promise<Database> {
  const baseDir = mkdtempSync(join(process.env['TEST_DATABASES'] ?? tmpdir(), 'shared-'));
  await copyNewDatabase(baseDir);
  const database = openDatabase({ baseDir });
  await database.ready;
  return database;
}
