import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedTests, type TestReport } from '../../scripts/failed-tests.mjs';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

it('the failed tests of a real report are named, also a file that cannot be loaded', () => {
  // Vitest is found from a directory inside the repository only.
  const dir = mkdtempSync(join(ROOT, 'node_modules/.failed-tests-'));
  try {
    writeFileSync(join(dir, 'vitest.config.mjs'), 'export default { test: { watch: false } };');
    writeFileSync(
      join(dir, 'sums.test.mjs'),
      "import { describe, expect, it } from 'vitest';\n" +
        "it('passes', () => expect(1).toBe(1));\n" +
        "describe('a sum', () => { it('is wrong', () => expect(1 + 1).toBe(3)); it.skip('is skipped', () => {}); });\n",
    );
    writeFileSync(join(dir, 'broken.test.mjs'), "import './missing.mjs';");
    const report = join(dir, 'report.json');
    const options = ['run', '--root', dir, '--reporter=json', `--outputFile=${report}`];
    expect(spawnSync(process.execPath, [VITEST, ...options], { cwd: dir }).status).toBe(1);
    const read = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
    expect(failedTests(read, dir).toSorted()).toEqual(['broken.test.mjs', 'sums.test.mjs > a sum is wrong']);
    expect(failedTests(read, '/elsewhere').toSorted()).toEqual([
      join(dir, 'broken.test.mjs'),
      `${join(dir, 'sums.test.mjs')} > a sum is wrong`,
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
