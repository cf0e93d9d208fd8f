// npm run check: format, types, lint, house. Quick enough to run before every commit.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, requireNode, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const steps = [
  ['format', [bin('biome'), 'format', '.']],
  ['types', [bin('tsc'), '-p', 'tsconfig.tests.json']],
  [
    'lint',
    [bin('oxlint'), '--type-aware', '--deny-warnings', 'packages', 'apps', 'scripts', 'bench', 'tests', 'examples'],
  ],
  ['house', [process.execPath, 'scripts/house.mjs']],
  ['docs', [process.execPath, 'scripts/write-docs.mjs', '--check']],
];

/** Runs the steps; returns the names of those that failed. */
export function runChecks() {
  const failed = [];
  for (const [name, [command, ...args]] of steps) {
    const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
    if (done.status === 0) continue;
    failed.push(name);
    process.stdout.write(`--- ${name}\n${done.stdout ?? ''}${done.stderr ?? ''}\n`);
  }
  return failed;
}

export const stepCount = steps.length;

if (process.argv[1] === join(root, 'scripts/check.mjs')) {
  requireNode();
  install();
  build();
  const failed = runChecks();
  console.log(failed.length === 0 ? 'check: all good' : `check: ${failed.join(', ')} failed`);
  process.exit(failed.length === 0 ? 0 : 1);
}
