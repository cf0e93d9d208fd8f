// Packs the `croft` package and installs it into an empty directory with an empty home, as a new user would.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packAll } from '../scripts/pack.mjs';

export const repo = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Directories for one example: `home` (empty), `project` (a real source tree: this repo's own packages), `bin` (the
 * installed croft). `env` has that home and no settings of this machine.
 */
export function makeStage() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'croft-example-')));
  const home = join(base, 'home');
  const project = join(base, 'project');
  mkdirSync(home);
  cpSync(join(repo, 'packages'), project, {
    recursive: true,
    filter: (path) => !/node_modules|\/dist(\/|$)|\.tsbuildinfo$/.test(path),
  });
  const { CROFT_BASE_DIR: _, ...rest } = process.env;
  const env = { ...rest, HOME: home, USERPROFILE: home, NO_COLOR: '1' };
  return { base, home, project, env, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }) };
}

/**
 * Installs the packed tarball below the stage; returns the path of its command. run.mjs installs once for all examples
 * and passes that path in `INSTALLED_CROFT`.
 */
export function installCroft(stage) {
  if (process.env.INSTALLED_CROFT) return process.env.INSTALLED_CROFT;
  const where = join(stage.base, 'installed');
  mkdirSync(where);
  writeFileSync(join(where, 'package.json'), '{"private":true}');
  const npm = (args, cwd) =>
    execFileSync('npm', args, { cwd, env: process.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const packed = JSON.parse(npm(['pack', '-w', 'croft', '--json', '--pack-destination', where], repo));
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', join(where, filename)], where);
  return join(where, 'node_modules/croft/dist/croft.cjs');
}

/**
 * Installs every packed tarball, with the server, below the stage; returns the path of the command. run.mjs installs once and
 * passes that path in `INSTALLED_CROFT_SERVER`.
 */
export function installServer(stage) {
  if (process.env.INSTALLED_CROFT_SERVER) return process.env.INSTALLED_CROFT_SERVER;
  const where = join(stage.base, 'installed-server');
  mkdirSync(where);
  writeFileSync(join(where, 'package.json'), '{"private":true}');
  const tarballs = packAll(join(stage.base, 'tarballs'));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...tarballs], {
    cwd: where,
    env: process.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return join(where, 'node_modules/croft/dist/croft.cjs');
}

/** Runs the installed command; returns its output. */
export function croft(bin, args, stage) {
  return execFileSync(process.execPath, [bin, ...args], { env: stage.env, cwd: stage.project, encoding: 'utf8' });
}
