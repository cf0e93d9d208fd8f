// Builds the studio when what it is made from has changed since it was built, by content: a checkout sets times anew.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const studio = join(root, 'apps/studio');
/** The digest of the sources the build was made from; not among the served files, which are listed by name. */
const stamp = join(studio, 'dist/.built-from');

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
  const sources = [...filesOf(join(studio, 'src')), ...filesOf(join(studio, 'public')), ...single].toSorted();
  for (const path of sources)
    digest
      .update(`${path.slice(studio.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return digest.digest('hex');
}

/** Builds `apps/studio/dist`, unless it is what it would become. */
export async function buildStudio() {
  const digest = digestOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const { build } = await import('vite');
  await build({ configFile: join(studio, 'vite.config.mjs'), logLevel: 'warn' });
  writeFileSync(stamp, digest);
}
