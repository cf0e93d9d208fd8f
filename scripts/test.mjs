// npm test: installs and builds what is missing, runs every check and test, ends with one plain line of counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks, stepCount } from './check.mjs';
import { build, install, requireNode, root } from './prepare.mjs';

requireNode();
install();
build();

const failedChecks = runChecks();
const { passed, failed } = runVitest();
const examples = spawnSync(process.execPath, [join(root, 'examples/run.mjs')], { cwd: root, stdio: 'inherit' });
const examplesFailed = examples.status === 0 ? 0 : 1;

const totalPassed = passed + stepCount - failedChecks.length + (1 - examplesFailed);
const totalFailed = failed + failedChecks.length + examplesFailed;
console.log(`\n${totalPassed} passed, ${totalFailed} failed`);
process.exit(totalFailed === 0 ? 0 : 1);

/** Runs all tests in a home and base directory of their own, so that nobody's files are touched. */
function runVitest() {
  const scratch = mkdtempSync(join(tmpdir(), 'croft-tests-'));
  const report = join(scratch, 'report.json');
  try {
    const env = { ...process.env, HOME: scratch, CROFT_BASE_DIR: join(scratch, 'base'), NO_COLOR: '1' };
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [
      vitest,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ];
    const run = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    // A file that cannot be loaded has no tests to fail, but the run has.
    const broken = counts.numFailedTestSuites > 0 && counts.numFailedTests === 0 ? 1 : 0;
    const failed = counts.numFailedTests + broken;
    return { passed: counts.numPassedTests, failed: failed === 0 && run.status !== 0 ? 1 : failed };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
