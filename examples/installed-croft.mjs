// Packs the `croft` package and installs it into an empty directory with an empty home, as a new user would.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
 * Unpacks every tarball, with the server, below the stage; returns the path of the command. Each package finds exactly the
 * libraries that its manifest declares, as links to those of this repository: npm takes half a minute of CPU for them
 * (`npm run packages` installs the tarballs with npm). run.mjs unpacks once and passes that path in `INSTALLED_CROFT_SERVER`.
 */
export function installServer(stage) {
  if (process.env.INSTALLED_CROFT_SERVER) return process.env.INSTALLED_CROFT_SERVER;
  const where = join(stage.base, 'installed-server/node_modules');
  const tarballs = packAll(join(stage.base, 'tarballs'));
  mkdirSync(where, { recursive: true });
  const packages = tarballs.map((tarball) => unpack(tarball, where));
  const own = new Map(packages.map(({ manifest, dir }) => [manifest.name, dir]));
  for (const { manifest, dir } of packages) linkLibraries(manifest, dir, own);
  return join(where, 'croft/dist/croft.cjs');
}

/** Unpacks a tarball of npm into `where`, below the name of its package. */
function unpack(tarball, where) {
  const fresh = mkdtempSync(`${where}-`);
  execFileSync('tar', ['-xzf', tarball, '-C', fresh]);
  const manifest = JSON.parse(readFileSync(join(fresh, 'package/package.json'), 'utf8'));
  const dir = join(where, manifest.name);
  mkdirSync(dirname(dir), { recursive: true });
  renameSync(join(fresh, 'package'), dir);
  rmSync(fresh, { recursive: true });
  return { manifest, dir };
}

/** Links the libraries that a package declares into its own `node_modules`. */
function linkLibraries({ name, dependencies, optionalDependencies, peerDependencies }, dir, own) {
  const libraries = join(repo, 'node_modules');
  const places = [join(realpathSync(join(libraries, name)), 'node_modules'), libraries];
  for (const library of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const target = own.get(library) ?? places.map((place) => join(place, library)).find(existsSync);
    if (target === undefined) {
      // It is one for another platform.
      if (library in (optionalDependencies ?? {})) continue;
      throw new Error(`${library}, which ${name} declares, is not installed. Run npm install.`);
    }
    const link = join(dir, 'node_modules', library);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'junction');
  }
}

/** Runs the installed command; returns its output. */
export function croft(bin, args, stage) {
  return execFileSync(process.execPath, [bin, ...args], { env: stage.env, cwd: stage.project, encoding: 'utf8' });
}
