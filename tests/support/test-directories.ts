import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryDir } from '../../packages/workspace/src/testing.ts';

/**
 * Gives the tests a directory for temporary files, one for the database that test servers copy and one for code caches. Removes
 * all of them after the last test. They are in memory, if it has room: a file on a disk costs twenty times the CPU. Tests that
 * need a disk, or another device, use `TEST_DISK`.
 */
export default function setup(): () => void {
  // Vitest calls this for each project.
  if (process.env.TEST_DISK !== undefined) return () => {};
  const dir = mkdtempSync(join(memoryDir(), 'croft-tests-'));
  // Processes of other users run in it.
  chmodSync(dir, 0o711);
  const disk = mkdtempSync(join(tmpdir(), 'croft-disk-'));
  process.env.TEST_DISK = disk;
  for (const [variable, name] of [
    ['TEST_DATABASES', 'databases'],
    ['TEST_CODE_CACHES', 'code-caches'],
  ] as const)
    mkdirSync((process.env[variable] = join(dir, name)));
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = dir;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    for (const each of [dir, disk]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  };
}
