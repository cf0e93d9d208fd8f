// npm test: installs and builds what is missing, runs every check and test, and ends with one line of counts.
// npm test -- PATTERN and npm run test:watch run tests only, of the files whose path contains PATTERN. They neither
// install nor build; tests/support/fresh-build.ts builds stale output when a selected test runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printFailed, runChecks, runStep, stepCount } from './check.mjs';
import { failedTests } from './failed-tests.mjs';
import { build, install, requireNode, root } from './prepare.mjs';

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const args = process.argv.slice(2);
const isWatching = args.includes('--watch');

requireNode();
process.exit(isWatching || args.some((arg) => !arg.startsWith('-')) ? await runSome() : await runAll());

/** Runs the tests that match; returns the exit code. */
async function runSome() {
  if (!existsSync(VITEST)) {
    console.error('Nothing is installed yet: run npm install first.');
    return 1;
  }
  const rest = args.filter((arg) => arg !== '--watch');
  return inScratch((_scratch, env) => vitest([isWatching ? 'watch' : 'run', ...rest], 'inherit', env));
}

async function runAll() {
  install();
  build();
  // Whole programs and browsers need the cores. The other tests often wait, so the checks and the examples run beside them.
  const programs = await inScratch((...scratch) => runTests(['alone', 'programs', 'quiet'], ...scratch));
  const [sharing, { checks, examples }] = await Promise.all([
    inScratch((...scratch) => runTests(['sharing'], ...scratch)),
    runBeside(),
  ]);
  printFailed(checks);
  process.stdout.write(examples.output);
  for (const line of [...programs.failures, ...sharing.failures]) console.log(`failed: ${line}`);
  for (const { name } of checks) console.log(`failed: ${name}`);
  if (!examples.ok) console.log('failed: examples');
  const totalPassed = programs.passed + sharing.passed + stepCount - checks.length + (examples.ok ? 1 : 0);
  const totalFailed = programs.failed + sharing.failed + checks.length + (examples.ok ? 0 : 1);
  console.log(`\n${totalPassed} passed, ${totalFailed} failed`);
  return totalFailed === 0 ? 0 : 1;
}

async function runBeside() {
  const checks = await runChecks();
  return { checks, examples: await runStep(['examples', [process.execPath, join(root, 'examples/run.mjs')]]) };
}

/** Gives `use` a home and a base directory that are removed afterwards. */
async function inScratch(use) {
  const scratch = mkdtempSync(join(tmpdir(), 'croft-tests-'));
  try {
    const base = join(scratch, 'base');
    // Node parses the certificates of the last variable at every start, which takes twice as long as the start, and the tests
    // start more than a thousand processes.
    const env = { HOME: scratch, CROFT_BASE_DIR: base, NO_COLOR: '1', NODE_EXTRA_CA_CERTS: undefined };
    return await use(scratch, { ...process.env, ...env });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the test files of these projects of vitest.config.ts. */
async function runTests(projects, scratch, env) {
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = await vitest(
    ['run', ...projects.map((name) => `--project=${name}`), ...reporters, ...args],
    ['ignore', 'inherit', 'inherit'],
    env,
  );
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded has no tests to fail, but the run has.
  const broken = counts.numFailedTestSuites > 0 && counts.numFailedTests === 0 ? 1 : 0;
  const failed = counts.numFailedTests + broken;
  return {
    passed: counts.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    failures: failedTests(counts, root),
  };
}

/** Resolves with the exit code. */
async function vitest(options, stdio, env) {
  const [code] = await once(spawn(process.execPath, [VITEST, ...options], { cwd: root, stdio, env }), 'close');
  return code ?? 1;
}
