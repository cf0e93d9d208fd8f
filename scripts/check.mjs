// npm run check: format, types, lint, house, docs. Quick enough to run before every commit.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE, install, requireNode, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const STEPS = [
  ['format', [bin('biome'), 'format', '.']],
  ['house', [process.execPath, 'scripts/house.mjs']],
];
/** They read the declarations of the packages, which the compiler writes. */
const COMPILED_STEPS = [
  ['types of tests', [bin('tsc'), '-p', 'tsconfig.tests.json', '--singleThreaded']],
  [
    'lint',
    [bin('oxlint'), '--type-aware', '--deny-warnings', 'packages', 'apps', 'scripts', 'bench', 'tests', 'examples'],
  ],
  ['docs', [process.execPath, 'scripts/write-docs.mjs', '--check']],
];

/** Runs the steps side by side; returns the names of those that failed, with their output. */
export async function runChecks() {
  const beside = STEPS.map(runStep);
  const compiled = await runStep(['types', COMPILE]);
  const rest = compiled.ok ? COMPILED_STEPS.map(runStep) : COMPILED_STEPS.map(notRun);
  const done = [compiled, ...(await Promise.all([...beside, ...rest]))];
  return done.filter(({ ok }) => !ok);
}

export function printFailed(failed) {
  for (const { name, output } of failed) process.stdout.write(`--- ${name}\n${output}\n`);
}

const notRun = ([name]) => ({ name, ok: false, output: 'Not run: the packages do not compile.' });

/** Runs a command on one core; its output is kept. */
export function runStep([name, [command, ...args]]) {
  return new Promise((resolve) => {
    let output = '';
    // Steps run side by side, and the threads of the compiler and the linter, in Go, check the same types again.
    const env = { ...process.env, GOMAXPROCS: '1' };
    const child = spawn(command, args, { cwd: root, env, shell: process.platform === 'win32' });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, ok: false, output: error.message }));
    child.on('close', (code) => resolve({ name, ok: code === 0, output }));
  });
}

export const stepCount = 1 + STEPS.length + COMPILED_STEPS.length;

if (process.argv[1] === join(root, 'scripts/check.mjs')) {
  requireNode();
  install();
  console.error('Checking, which takes a minute, or several on a busy machine …');
  const failed = await runChecks();
  printFailed(failed);
  const names = failed.map(({ name }) => name).join(', ');
  console.log(failed.length === 0 ? 'check: all good' : `check: ${names} failed`);
  process.exit(failed.length === 0 ? 0 : 1);
}
