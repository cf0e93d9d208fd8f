import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the tests a directory for the database that test servers copy and one for code caches. Removes both after the last test. */
export default function setup(): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'croft-shared-'));
  for (const [variable, name] of [
    ['TEST_DATABASES', 'databases'],
    ['TEST_CODE_CACHES', 'code-caches'],
  ] as const)
    mkdirSync((process.env[variable] = join(dir, name)));
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
