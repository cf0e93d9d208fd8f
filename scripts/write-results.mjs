// Writes docs/results/NAME.md: a table of one complete run, with the commit and the machine it ran on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPO = join(dirname(fileURLToPath(import.meta.url)), '..');

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: REPO, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Describes this run: the commit (and whether tracked files differ from it), the time, the machine and Node.
 * Call it at the start: the commit may change during a long run.
 */
export function describeRun() {
  // Results that other suites wrote just before do not change what runs.
  const isClean = git('status', '--porcelain', '--untracked-files=no', '--', ':!docs/results') === '';
  return {
    commit: `${git('rev-parse', 'HEAD') ?? 'unknown'}${isClean ? '' : ' with uncommitted changes'}`,
    date: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${(totalmem() / 1e9).toFixed(1)} GB, ${type()} ${release()}`,
    node: process.version,
  };
}

/** The lines that every table has above it. `more` are further lines of the same list. */
export function runLines({ commit, date, machine, node }, more = []) {
  return [`commit ${commit}`, date, machine, `Node ${node}`, ...more].map((line) => `- ${line}`).join('\n');
}

/** Writes docs/results/NAME.md; returns its path. Call it after complete runs only. */
export function writeResults(name, text) {
  const dir = join(REPO, 'docs/results');
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `${name}.md`);
  writeFileSync(file, text);
  return file;
}
