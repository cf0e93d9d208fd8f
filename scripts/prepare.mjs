// The first step of both commands: installs and builds what is missing or older than its sources.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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

/** Whether node_modules holds what the lockfile names, by npm's own record of what it installed. */
function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const have = JSON.parse(readFileSync(record, 'utf8')).packages;
  const want = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  // Optional packages are for other platforms, or allowed to be missing.
  return Object.entries(want).every(([path, { version, link, optional }]) =>
    link
      ? existsSync(join(root, path))
      : path === '' || optional || !path.startsWith('node_modules/') || have[path]?.version === version,
  );
}

/**
 * Links packages of this repository that were added since the last installation: nothing else of it changed, and a link
 * takes no download.
 */
export function linkPackages() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return;
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { link, resolved }] of Object.entries(packages)) {
    const [from, to] = [join(root, path), join(root, resolved ?? '')];
    if (link && !existsSync(from) && existsSync(to) && existsSync(dirname(from)))
      symlinkSync(relative(dirname(from), to), from, 'junction');
  }
}

/**
 * Installs what the lockfile names, when something of it is missing. A clean install refuses this lockfile, which lacks
 * optional packages of other platforms; see CONTRIBUTING.md.
 */
export function install() {
  linkPackages();
  if (isInstalled()) return;
  say('Installing dependencies, which takes a minute or two …');
  npmInstall(root);
}

/** Installs what the lockfile of a directory names. Ends the process where that fails. */
export function npmInstall(cwd) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return;
  say('npm install failed; see above.');
  process.exit(1);
}

function newest(dir, time = 0) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.endsWith('.test.ts')) continue;
    const path = join(dir, entry.name);
    time = entry.isDirectory() ? newest(path, time) : Math.max(time, statSync(path).mtimeMs);
  }
  return time;
}

/** Compiles two packages at a time. Several checkers of one package would check the same types again. */
export const COMPILE = [
  process.execPath,
  join(root, 'node_modules/@typescript/native/bin/tsc'),
  '-b',
  '--builders',
  '2',
  '--checkers',
  '1',
];

/** Packages whose threads run compiled code. */
const THREADS = ['workspace', 'components'];
const PROGRAM = 'apps/cli/dist/croft.cjs';

/** Whether `output` is missing or not newer than every file of `sources` that is not a test. Paths are below `root`. */
export function isStale(output, sources) {
  const path = join(root, output);
  return !existsSync(path) || statSync(path).mtimeMs <= Math.max(...sources.map((dir) => newest(join(root, dir))));
}

/** Builds everything when a source, or the build itself, is newer than the program. */
export function build() {
  if (!isStale(PROGRAM, ['packages', 'apps', 'scripts'])) return;
  say('Building, which takes half a minute to two minutes …');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
}

/** Builds the packages whose threads run compiled code, when one of their sources is newer. */
export function buildThreads() {
  for (const name of THREADS) {
    const record = `packages/${name}/dist/.tsbuildinfo`;
    if (!isStale(record, [`packages/${name}/src`])) continue;
    const start = new Date();
    const [compiler, ...args] = COMPILE;
    execFileSync(compiler, [...args, `packages/${name}`], { cwd: root, stdio: ['ignore', 2, 2] });
    // The compiler leaves the file alone when only times changed.
    utimesSync(join(root, record), start, start);
  }
}
