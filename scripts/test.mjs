// npm test: installs and builds what is missing, runs every check and test, and ends with one line of counts.
// npm test -- PATTERN and npm run test:watch run tests only, of the files whose path contains PATTERN. They neither
// install nor build; tests/support/fresh-build.ts builds stale output when a selected test runs it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks, stepCount } from './check.mjs';
import { build, install, requireNode, root } from './prepare.mjs';

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const args = process.argv.slice(2);
const isWatching = args.includes('--watch');

requireNode();
process.exit(isWatching || args.some((arg) => !arg.startsWith('-')) ? runSome() : await runAll());

/** Runs the tests that match; returns the exit code. */
function runSome() {
  if (!existsSync(VITEST)) {
    console.error('Nothing is installed yet: run npm install first.');
    return 1;
  }
  return (
    inScratch((scratch, env) => {
      const rest = args.filter((arg) => arg !== '--watch');
      return spawnSync(process.execPath, [VITEST, isWatching ? 'watch' : 'run', ...rest], {
        cwd: root,
        stdio: 'inherit',
        env,
      }).status;
    }) ?? 1
  );
}

async function runAll() {
  install();
  build();
  const failedChecks = await runChecks();
  const { passed, failed } = inScratch(runVitest);
  const examples = spawnSync(process.execPath, [join(root, 'examples/run.mjs')], { cwd: root, stdio: 'inherit' });
  const examplesFailed = examples.status === 0 ? 0 : 1;
  const totalPassed = passed + stepCount - failedChecks.length + (1 - examplesFailed);
  const totalFailed = failed + failedChecks.length + examplesFailed;
  console.log(`\n${totalPassed} passed, ${totalFailed} failed`);
  return totalFailed === 0 ? 0 : 1;
}

/** Gives `use` a home and a base directory that are removed afterwards. */
function inScratch(use) {
  const scratch = mkdtempSync(join(tmpdir(), 'croft-tests-'));
  try {
    return use(scratch, { ...process.env, HOME: scratch, CROFT_BASE_DIR: join(scratch, 'base'), NO_COLOR: '1' });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function runVitest(scratch, env) {
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const run = spawnSync(process.execPath, [VITEST, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded has no tests to fail, but the run has.
  const broken = counts.numFailedTestSuites > 0 && counts.numFailedTests === 0 ? 1 : 0;
  const failed = counts.numFailedTests + broken;
  return { passed: counts.numPassedTests, failed: failed === 0 && run.status !== 0 ? 1 : failed };
}
