// npm run red: removes one rule at a time from a copy of the source and requires that the test of the rule fails. A test
// that passes without its rule protects nothing. The table covers the file boundary, the entry points of the gateway and the
// server, and how the guard reads programs and git. Rules are tested side by side, each process in a copy of its own.
//   --only TEXT   only rules whose name contains TEXT
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { copyRepo } from '../../scripts/copy-repo.mjs';
import { build as buildRepo } from '../../scripts/prepare.mjs';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';
import { TABLE } from './table.mjs';

const REPO = join(dirname(fileURLToPath(import.meta.url)), '../..');
const TEST_CAP_MS = 120_000;
/** All tests once, with every rule in place. */
const BASELINE_CAP_MS = 900_000;
/** The folders of tests that rules name. */
const FOLDERS = ['red', 'guard', 'runs', 'store', 'support'];
const run = promisify(execFile);
const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });
const rules = TABLE.filter((rule) => !flags.only || rule.rule.includes(flags.only));

/**
 * Builds the packages that the tests load built. A patch may leave an unused name behind; that must not stop the run.
 */
function build(copy) {
  try {
    execFileSync(join(REPO, 'node_modules/.bin/tsc'), ['-b', 'packages/components'], { cwd: copy, stdio: 'pipe' });
  } catch (error) {
    if (!existsSync(join(copy, 'packages/workspace/dist/index.js')))
      throw new Error(`the copy does not build: ${error.stdout}`);
  }
  // The sources that the sandbox shows to users' code. No rule changes them.
  const sources = 'packages/components/dist/editable/component-sources.json.br';
  cpSync(join(REPO, sources), join(copy, sources));
}

/** Runs the tests of these files, optionally with one name; returns the state of each test by name. */
async function runTests(copy, files, name, cap = TEST_CAP_MS) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const args = [
    join(REPO, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  if (name) args.push('--maxWorkers=1', '-t', escapeRegExp(name));
  try {
    await run(process.execPath, args, {
      cwd: copy,
      timeout: cap,
      maxBuffer: 1 << 24,
      env: { ...process.env, CROFT_TEST_BUILD: 'off' },
    });
  } catch (error) {
    if (error.killed) return { timedOut: true, states: new Map() };
    if (!existsSync(report))
      throw new Error(`vitest did not run (${error.signal ?? error.code}): ${error.stderr || error.stdout}`);
  }
  const states = new Map();
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    for (const test of file.assertionResults)
      states.set(`${file.name.slice(copy.length + 1)}: ${test.fullName}`, test.status);
  }
  return { timedOut: false, states };
}

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const statesOf = (states, test) =>
  [...states].filter(([key]) => key.startsWith(`${test.file}: `) && key.includes(test.name)).map(([, state]) => state);

/** Applies a rule's edits; returns a function that reverts them. */
function takeOut(copy, rule) {
  const originals = new Map();
  const putBack = () => {
    for (const [path, text] of originals) writeFileSync(path, text);
  };
  for (const { file, find, replace } of rule.edits) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (!originals.has(path)) originals.set(path, text);
    if (text.split(find).length !== 2) {
      putBack();
      throw new Error(
        `the patch does not fit: ${file} has ${text.split(find).length - 1} times ${JSON.stringify(find)}`,
      );
    }
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return putBack;
}

async function judge(copy, rule, baseline) {
  const green = statesOf(baseline, rule.test);
  if (green.length === 0) return `no test of this name in ${rule.test.file}`;
  if (!green.every((state) => state === 'passed')) return 'its test does not pass with the rule in place';
  const putBack = takeOut(copy, rule);
  try {
    if (rule.build) build(copy);
    const { timedOut, states } = await runTests(copy, [rule.test.file], rule.test.name);
    if (timedOut) return undefined;
    const without = statesOf(states, rule.test);
    if (without.length === 0) return 'its test did not run without the rule: the patch breaks the file';
    return without.includes('failed') ? undefined : 'its test passes without the rule';
  } finally {
    putBack();
    if (rule.build) build(copy);
  }
}

buildRepo();
const described = describeRun();
const copies = Array.from({ length: Math.min(availableParallelism(), rules.length) }, () => copyRepo('red', FOLDERS));
const waiting = [...rules];
let red = 0;
try {
  for (const copy of copies) build(copy);
  const files = [...new Set(rules.map((rule) => rule.test.file))];
  const { states: baseline } = await runTests(copies[0], files, undefined, BASELINE_CAP_MS);
  await Promise.all(
    copies.map(async (copy) => {
      for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) {
        const problem = await judge(copy, rule, baseline).catch((error) => error.message);
        if (!problem) red++;
        console.log(`${problem ? 'NOT RED' : 'red    '} ${rule.rule}${problem ? `: ${problem}` : ''}`);
      }
    }),
  );
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
console.log(`${rules.length} rules, ${red} seen red`);
if (rules.length === TABLE.length)
  writeResults(
    'red',
    `# Red\n\nWritten by \`npm run red\`: each rule is removed from a copy of the source, and its test must fail.\n\n${runLines(described)}\n\n| rules | seen red |\n|---:|---:|\n| ${rules.length} | ${red} |\n`,
  );
process.exitCode = red === rules.length && red > 0 ? 0 : 1;
