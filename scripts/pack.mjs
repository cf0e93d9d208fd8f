// Packs what is published, as `npm publish` would take it: every package, the server with the studio's pages in it, and
// the `croft` command. `node scripts/pack.mjs DIR` leaves the tarballs in DIR.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials, installedWith } from './notices.mjs';

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
    const staged = places.map((place) => stagePackage(place, stage));
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, ...staged];
    const packed = JSON.parse(
      execFileSync('npm', args, { cwd: stage, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    // Newer versions of npm print an object.
    return Object.values(packed).map(({ filename }) => join(destination, filename));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Excludes files that only the next build reads. */
const isShipped = (path) => !/(\.tsbuildinfo|\.built-from|[\\/]testing\.(js|d\.ts)(\.map)?|[\\/]testing)$/.test(path);

/**
 * The manifest as published: without what only a checkout has, namely sources, entries for tests, and libraries that the build
 * needs. Its repository is that of the root manifest.
 */
export function publishedManifest(whole, place) {
  const { devDependencies: _, scripts: __, ...manifest } = whole;
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports ?? {}).filter(([name]) => !name.endsWith('/testing'));
  return {
    ...manifest,
    ...(repository && { repository: { ...repository, directory: place } }),
    ...(entries.length > 0 && {
      exports: Object.fromEntries(entries.map(([name, { source: ___, ...conditions }]) => [name, conditions])),
    }),
  };
}

/** Copies what a package ships below `stage`; returns its directory. */
function stagePackage(place, stage) {
  const from = join(root, place);
  const to = join(stage, place);
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  mkdirSync(to, { recursive: true });
  for (const name of manifest.files ?? [])
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true, filter: isShipped });
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(publishedManifest(manifest, place), null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  if (manifest.files?.includes('sbom.cdx.json'))
    writeFileSync(join(to, 'sbom.cdx.json'), billOfMaterials(manifest.name, manifest.version, installedWith(from)));
  if (place === 'apps/server')
    cpSync(join(root, 'apps/studio/dist'), join(to, 'studio'), { recursive: true, filter: isShipped });
  return to;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = process.argv[2];
  if (destination === undefined) {
    console.error('Say where the tarballs go: node scripts/pack.mjs DIR');
    process.exit(2);
  }
  for (const path of packAll(destination)) console.log(path);
}
