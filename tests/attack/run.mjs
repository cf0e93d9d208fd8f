// npm run attack: every operation under every flip, with both resolvers, and the results written to docs/results.
//   --quick            few attempts, writes nothing       --json FILE        also write the results to FILE
//   --resolver KIND    openat2 or walk only               --only TEXT        only cells whose name contains TEXT
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startAttacker } from './attacker.mjs';
import { listCells, PLANS, RESOLVERS, runCell } from './cells.mjs';
import { describeRun } from '../../scripts/write-results.mjs';
import { attackedFileSystem, line, LINE_HEAD, writeAttack } from './report.mjs';

const REPO = join(dirname(fileURLToPath(import.meta.url)), '../..');
const MIN_TOTAL = 1_000_000;
const MEMORY_NEEDED = 32 * 1024 * 1024;

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    resolver: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});

// A signal still triggers 'exit', whose handlers kill the attacker and remove the scratch directory.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** The memory's file system, if there is one: journal writes of a disk for every flip do not belong to the attack. */
function memoryDir() {
  const dir = '/dev/shm';
  try {
    accessSync(dir, constants.W_OK);
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize > MEMORY_NEEDED ? dir : undefined;
  } catch {
    return undefined;
  }
}

// The full run, whose results are stored, attacks on the disk.
const memory = flags.quick ? memoryDir() : undefined;
if (memory) process.env.TMPDIR = memory;

const plan = flags.quick ? PLANS.quick : PLANS.full;
execFileSync(join(REPO, 'node_modules/.bin/tsc'), ['-b', 'packages/workspace'], { cwd: REPO, stdio: 'inherit' });
const { bestResolver, closeSearchWorkers, openWorkspace } = await import('../../packages/workspace/dist/index.js');
if (bestResolver() !== 'openat2') {
  console.error(`The attack needs Linux with openat2 and koffi; this machine has the '${bestResolver()}' resolver.`);
  process.exit(1);
}

const resolvers = flags.resolver ? [flags.resolver] : RESOLVERS;
const cells = listCells(resolvers).filter((cell) => !flags.only || cell.name.includes(flags.only));
const results = [];
const run = describeRun();
const began = performance.now();
const attacker = await startAttacker();
try {
  console.log(LINE_HEAD);
  for (const cell of cells) {
    const result = await runCell(cell, attacker, plan, openWorkspace);
    results.push(result);
    console.log(line(result));
  }
} finally {
  await attacker.close();
  await closeSearchWorkers();
}

const total = results.reduce((sum, result) => sum + result.attempts, 0);
const failed = results.filter((result) => result.problems.length > 0);
const whole = !flags.only && !flags.resolver && !flags.quick;
if (whole && total < MIN_TOTAL)
  failed.push({ name: `only ${total} attempts in all, ${MIN_TOTAL} needed`, problems: [] });
const record = {
  run,
  fileSystem: attackedFileSystem(),
  quick: flags.quick,
  seconds: Math.round((performance.now() - began) / 1000),
  attempts: total,
  cells: results,
};
if (flags.json) writeFileSync(flags.json, JSON.stringify(record));
if (whole) writeAttack(record);
for (const result of failed) console.log(`FAILED ${result.name}\n  ${result.problems.join('\n  ')}`);
const escapes = results.reduce((sum, result) => sum + result.escapes, 0);
console.log(
  `${results.length} cells, ${total} attempts, ${escapes} escapes, ${failed.length} failed, ${record.seconds} s`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
