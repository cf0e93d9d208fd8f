import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the tests a directory for the database that test servers copy, and removes it after the last test. */
export default function setup(): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'croft-databases-'));
  process.env['TEST_DATABASES'] = dir;
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
