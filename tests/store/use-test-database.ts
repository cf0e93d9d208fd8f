import { afterAll, beforeAll } from 'vitest';
import { user } from '../../apps/server/src/store/schema.ts';
import { openTestDatabase } from './test-database.ts';

/** For tests: an open database of a test. */
export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

/** For tests: an embedded database with these users for the tests of a file. `setUp` runs when it is ready. */
export function useTestDatabase(setUp: (opened: TestDatabase) => unknown, users: readonly string[] = []): void {
  let opened: TestDatabase | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase();
    for (const id of users) await opened.database.db.insert(user).values({ id, name: id, email: `${id}@example.test` });
    await setUp(opened);
  });
  afterAll(() => opened?.close());
}
