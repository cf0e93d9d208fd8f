import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase } from './test-database.ts';

/** For tests: an embedded database for the tests of a file. `setUp` runs when it is ready. */
export function useTestDatabase(setUp: (opened: Awaited<ReturnType<typeof openTestDatabase>>) => unknown): void {
  let opened: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase();
    await setUp(opened);
  }, 60_000);
  afterAll(() => opened?.close());
}
