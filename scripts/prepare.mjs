// What both commands do first: install and build what is missing or older than its sources.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Says what happens, so that a first start is not silent for a minute. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Croft needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs npm ci when node_modules is missing or was made from another lockfile. */
export function install() {
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
  const stamp = join(root, 'node_modules/.croft-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('Installing dependencies …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (done.status !== 0) {
    say('npm ci failed; see above.');
    process.exit(1);
  }
  writeFileSync(stamp, lock);
}

function newest(dir, time = 0) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.endsWith('.test.ts')) continue;
    const path = join(dir, entry.name);
    time = entry.isDirectory() ? newest(path, time) : Math.max(time, statSync(path).mtimeMs);
  }
  return time;
}

/** Builds when a source, or the build itself, is newer than the program. */
export function build() {
  const program = join(root, 'apps/cli/dist/croft.cjs');
  const sources = Math.max(newest(join(root, 'packages')), newest(join(root, 'apps')), newest(join(root, 'scripts')));
  if (existsSync(program) && statSync(program).mtimeMs > sources) return;
  say('Building …');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
}
