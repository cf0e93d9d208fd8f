import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** For tests: the real path of a new directory, which is removed after the running test and its `afterEach`. */
export function testDir(above = tmpdir()): string {
  const { dir, remove } = makeDir(above);
  onTestFinished(remove);
  return dir;
}

/** For tests: the real path of a new directory, which is removed after the tests of the file or `describe`. */
export function fileDir(above = tmpdir()): string {
  const { dir, remove } = makeDir(above);
  afterAll(remove);
  return dir;
}

function makeDir(above: string): { dir: string; remove: () => void } {
  const dir = realpathSync(mkdtempSync(join(above, 'croft-test-')));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }) };
}
