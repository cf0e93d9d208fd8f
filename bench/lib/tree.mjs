import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCorpus, NAME_WORDS } from './corpus.mjs';
import { createRandom } from './random.mjs';

const EXTENSIONS = ['ts', 'ts', 'ts', 'js', 'js', 'tsx', 'd.ts', 'test.ts', 'json', 'md', 'css', 'map', 'yml', 'svg'];
const CORPUS_BYTES = 2 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024;
const PACKAGES = 60;

/** The search text of the grep row. */
export const NEEDLE = 'resolveBenchmarkNeedle';
export const ABSENT = 'getPreEmitDiagnostics';
/** A pattern that finds deprecations with a replacement; and the same with a word that does not occur. */
export const DEPRECATION = '\\bdeprecat(ed|ion)\\b.{0,40}\\buse\\b';
export const ABSENT_REGEX = '\\bdeprecat(ed|ion)\\b.{0,40}\\bmigrate\\b';
const DEPRECATION_LINES = [
  '   * @deprecated since 4.2, please use the session instead',
  '// deprecation notice: callers use another entry',
];

/** A few `.gitignore` files: plain names, endings, directories, anchored ones and a negation. */
const ROOT_IGNORE = '# build output\n*.log\ncoverage/\n/packages/*/generated/**/*.map\n';
const PACKAGE_IGNORE = 'dist/\n/scratch\n*.tmp.ts\n';
const NEGATING_IGNORE = '*.tmp.ts\n!keep.tmp.ts\n!keep.log\n';

/**
 * Writes a source tree and describes it. `visible` are paths that no `.gitignore` hides.
 *
 * @returns {{files: number, directories: number, bytes: number, hits: Record<'packages' | 'allPackages', string[]> &
 * Record<'needle' | 'deprecation', Map<string, number>>}}
 */
export function makeTree(root, { files, directories, seed = 20_261_121 }) {
  const writer = new TreeWriter(root, seed);
  const perPackage = Math.floor(directories / PACKAGES);
  mkdirSync(root, { recursive: true });
  writer.put('.gitignore', ROOT_IGNORE);
  const all = [];
  for (let p = 0; p < PACKAGES; p++) all.push(...writer.package(p, perPackage));
  for (let i = 0; writer.files < files; i++) writer.source(all[i % all.length], i);
  return {
    files: writer.files,
    directories: writer.directories,
    bytes: writer.bytes,
    hits: {
      packages: writer.packages.sort(),
      allPackages: [...writer.packages, ...writer.ignoredPackages].sort(),
      needle: writer.needle,
      deprecation: writer.deprecation,
    },
  };
}

class TreeWriter {
  files = 0;
  directories = 0;
  bytes = 0;
  packages = [];
  ignoredPackages = [];
  needle = new Map();
  deprecation = new Map();

  constructor(root, seed) {
    this.root = root;
    this.random = createRandom(seed);
    this.corpus = makeCorpus(CORPUS_BYTES, seed + 1);
  }

  put(path, content) {
    writeFileSync(join(this.root, path), content);
    this.files++;
    this.bytes += Buffer.byteLength(content);
  }

  directory(path) {
    mkdirSync(join(this.root, path), { recursive: true });
    this.directories++;
    return path;
  }

  /** Writes one package with nested directories; returns those that are not ignored. */
  package(number, count) {
    const base = this.directory(`packages/${this.name()}-${String(number).padStart(2, '0')}`);
    const own = [this.directory(`${base}/src`), this.directory(`${base}/test`)];
    while (own.length < count) {
      const parent = this.random.pick(own);
      const path = `${parent}/${this.name()}${own.length}`;
      if (path.split('/').length <= 9) own.push(this.directory(path));
    }
    this.put(`${base}/package.json`, `{ "name": "package-${number}", "version": "1.0.${number}" }\n`);
    this.packages.push(`${base}/package.json`);
    if (number % 10 === 3) this.ignored(base, number);
    return own;
  }

  /** Ignored files that contain the search text: searches must leave them out. */
  ignored(base, number) {
    this.put(`${base}/.gitignore`, number % 20 === 3 ? PACKAGE_IGNORE : `${PACKAGE_IGNORE}${NEGATING_IGNORE}`);
    for (const dir of ['dist', 'scratch', 'src/coverage', 'generated/deep']) this.directory(`${base}/${dir}`);
    const bait = `${NEEDLE}();\n${DEPRECATION_LINES[0]}\n`;
    this.put(`${base}/dist/package.json`, '{}\n');
    this.put(`${base}/scratch/package.json`, '{}\n');
    this.ignoredPackages.push(`${base}/dist/package.json`, `${base}/scratch/package.json`);
    for (const path of [
      'dist/index.js',
      'scratch/x.ts',
      'src/coverage/lcov.ts',
      'generated/deep/a.map',
      'src/a.tmp.ts',
      'test/run.log',
    ]) {
      this.put(`${base}/${path}`, bait);
    }
    const kept = number % 20 === 3 ? [] : ['src/keep.tmp.ts', 'test/keep.log'];
    for (const path of kept) {
      this.put(`${base}/${path}`, bait);
      this.needle.set(`${base}/${path}`, 1);
      this.deprecation.set(`${base}/${path}`, 1);
    }
  }

  source(directory, i) {
    const path = `${directory}/${this.name()}-${this.random.pick(NAME_WORDS)}.${i}.${this.random.pick(EXTENSIONS)}`;
    if (i % 600 === 599) {
      // A binary file: it contains the search text after a NUL byte, and must not be reported.
      this.put(path, Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), Buffer.from(NEEDLE)]));
      return;
    }
    const lines = this.slice();
    if (i % 35 === 7) lines.push('// Größe, naïve café — „quoted“ text');
    if (i % 500 === 11) this.plant(path, lines, this.needle, 1 + (i % 3), () => `  ${NEEDLE}(${i});`);
    if (i % 2500 === 17) this.plant(path, lines, this.deprecation, 1 + (i % 2), (n) => DEPRECATION_LINES[n % 2]);
    this.put(path, `${lines.join('\n')}\n`);
  }

  plant(path, lines, hits, count, line) {
    for (let n = 0; n < count; n++) lines.splice(this.random.below(lines.length + 1), 0, line(n));
    hits.set(path, count);
  }

  /** Sizes as in real trees: most files are small, a few are large (log-normal, median 2 KB, mean 3.5 KB). */
  slice() {
    const size = Math.min(MAX_FILE_BYTES, 2_000 * Math.exp(1.05 * this.random.normal()));
    const lines = [];
    let at = this.random.below(this.corpus.length);
    for (let bytes = 0; bytes < size; bytes += lines.at(-1).length + 1)
      lines.push(this.corpus[at++ % this.corpus.length]);
    return lines;
  }

  name() {
    return `${this.random.pick(NAME_WORDS)}-${this.random.pick(NAME_WORDS)}`;
  }
}
