// Packs what is published, as `npm publish` would take it: every package, the server with the studio's pages in it, and
// the `croft` command. `node scripts/pack.mjs DIR` leaves the tarballs in DIR.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Packs everything that is built into `destination`; gives the paths of the tarballs. */
export function packAll(destination) {
  mkdirSync(destination, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'croft-pack-'));
  try {
    const places = [
      ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
      'apps/server',
      'apps/cli',
    ];
    return places.map((place) => packOne(place, stage, destination));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Excludes files that only the next build reads. */
const isShipped = (path) => !/(\.tsbuildinfo|\.built-from)$/.test(path);

function packOne(place, stage, destination) {
  const from = join(root, place);
  const to = join(stage, place);
  const { files = [] } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files])
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true, filter: isShipped });
  if (place === 'apps/server')
    cpSync(join(root, 'apps/studio/dist'), join(to, 'studio'), { recursive: true, filter: isShipped });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const packed = JSON.parse(
    execFileSync('npm', args, { cwd: to, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  return join(destination, filename);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = process.argv[2];
  if (destination === undefined) {
    console.error('Say where the tarballs go: node scripts/pack.mjs DIR');
    process.exit(2);
  }
  for (const path of packAll(destination)) console.log(path);
}
