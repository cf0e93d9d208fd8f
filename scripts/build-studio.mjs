// Builds the studio if its sources have changed since the last build. Compares contents, because a checkout sets new
// times.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sourcesOfTypes } from './component-types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const studio = join(root, 'apps/studio');
/** The studio's bundle contains these packages, or a part of them. */
const packages = ['flow', 'assistant'].map((name) => join(root, 'packages', name, 'src'));
const dist = join(studio, 'dist');
/** The digest of the build's sources. It is next to the pages, which the server serves only by their listed names. */
const STAMP = '.built-from';

function* filesOf(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (!entry.name.endsWith('.test.ts')) yield path;
  }
}

function digestOfSources() {
  const digest = createHash('sha256');
  const single = ['index.html', 'vite.config.mjs', 'package.json'].map((name) => join(studio, name));
  const sources = [
    ...filesOf(join(studio, 'src')),
    ...filesOf(join(studio, 'public')),
    ...packages.flatMap((dir) => [...filesOf(dir)]),
    ...sourcesOfTypes(),
    ...single,
  ].toSorted();
  for (const path of [...sources, fileURLToPath(import.meta.url)])
    digest
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return digest.digest('hex');
}

/** Files that compression makes smaller; images and fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest|map)$/;
const MIN_COMPRESSED_BYTES = 1_024;

/** Writes `.br` and `.gz` beside each file that they make smaller. The server sends them as they are. */
async function compressFiles(dir) {
  const large = [...filesOf(dir)].filter((path) => COMPRESSIBLE.test(path));
  await Promise.all(
    large.map(async (path) => {
      const bytes = readFileSync(path);
      if (bytes.length < MIN_COMPRESSED_BYTES) return;
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, { params }),
        promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      if (br.length < bytes.length) writeFileSync(`${path}.br`, br);
      if (gz.length < bytes.length) writeFileSync(`${path}.gz`, gz);
    }),
  );
}

/** Builds `apps/studio/dist`, unless it is what it would become. Several may do so at once: the last one's stays. */
export async function buildStudio() {
  const digest = digestOfSources();
  const isBuilt = () => existsSync(join(dist, STAMP)) && readFileSync(join(dist, STAMP), 'utf8') === digest;
  if (isBuilt()) return;
  const fresh = join(studio, `.dist-${process.pid}`);
  // In a process of its own: tests, which build too, run in one whose NODE_ENV would bring React's slow half.
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', studio, '--config', join(studio, 'vite.config.mjs'), '--outDir', fresh];
  try {
    await promisify(execFile)(process.execPath, [...args, '--emptyOutDir', '--logLevel', 'warn'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    await compressFiles(fresh);
    writeFileSync(join(fresh, STAMP), digest);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } catch (error) {
    if (!isBuilt()) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
