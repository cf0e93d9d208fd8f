import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';

const REPO = fileURLToPath(new URL('../../', import.meta.url));
const PEERS = fileURLToPath(new URL('../peers/', import.meta.url));

/** Whether the pinned peers are installed as their lockfile says. */
export function peersInstalled(dir = PEERS) {
  return existsSync(join(dir, 'node_modules/.package-lock.json'));
}

/** Installs exactly what the lockfile pins, outside the workspaces and without running any package's scripts. */
export function installPeers(dir = PEERS) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(
    npm,
    ['install', '--no-save', '--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: dir,
      stdio: 'inherit',
    },
  );
  if (result.status !== 0) throw new Error(`the peers could not be installed (npm install in ${relative(REPO, dir)})`);
}

/** Entry file and version of an installed peer, as its own package.json gives them. */
export function peerPackage(name, peers = PEERS) {
  const dir = join(peers, 'node_modules', name);
  const json = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const bin = typeof json.bin === 'string' ? json.bin : Object.values(json.bin ?? {})[0];
  return { name: json.name, version: json.version, entry: bin ? join(dir, bin) : undefined };
}

/** The bare server needs the SDK only: the peers' own, or the workspaces' when the peers are not installed. */
export function barePackage() {
  const entry = join(PEERS, 'bare/server.mjs');
  const sdk = createRequire(entry).resolve('@modelcontextprotocol/server');
  const json = JSON.parse(readFileSync(join(sdk.slice(0, sdk.lastIndexOf('dist')), 'package.json'), 'utf8'));
  return { name: 'bare', version: `SDK ${json.version}`, entry };
}

/** The ripgrep binary, and what it calls itself. */
export function ripgrep() {
  const path = join(PEERS, `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
  const result = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`ripgrep does not run: ${path}`);
  return { path, version: result.stdout.split('\n')[0] };
}
