// Creates the directory tree in which the guard's corpus is judged, and fills the corpus's placeholders with its paths.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = [
  'package.json',
  'README.md',
  'Makefile',
  'AGENTS.md',
  'src/a.ts',
  'src/app.tsx',
  'src/utils/helper.ts',
  'app/[id]/$slug.tsx',
  'app/(group)/page.tsx',
  'docs/my notes.md',
  'docs/übersicht.md',
  'tests/a.test.ts',
  'notebooks/model.ipynb',
  '.gitignore',
  '.git/HEAD',
  '.git/config',
  '.git/hooks/pre-commit.sample',
  '.vscode/settings.json',
  '.claude/settings.json',
  '.env',
  'node_modules/@scope/pkg/index.js',
];

/**
 * Creates a project at `home/u/proj` of a scratch directory, with a neighbour whose name has the same prefix, a
 * directory outside, an alias, and every kind of link.
 *
 * @returns {{ base: string, root: string, home: string, out: string, proj2: string, alias: string, fill: (value:
 * unknown) => unknown, remove: () => void }}
 */
export function makeRoot() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'croft-guard-')));
  const home = join(base, 'home', 'u');
  const root = join(home, 'proj');
  const proj2 = join(home, 'proj2');
  const out = join(base, 'outside');
  const alias = join(base, 'alias');
  const put = (path) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'text\n');
  };
  for (const name of FILES) put(join(root, name));
  put(join(out, 'secret.txt'));
  put(join(proj2, 'x'));
  put(join(home, '.bashrc'));
  put(join(home, '.ssh', 'id_rsa'));
  mkdirSync(join(root, 'sub', 'deep'), { recursive: true });
  symlinkSync(root, alias);
  const link = (target, name) => symlinkSync(target, join(root, name));
  link('/etc', 'etc_link');
  link(out, 'out_link');
  link('../../../outside', 'rel_out');
  link(join(out, 'secret.txt'), 'file_link');
  link('../../../outside/secret.txt', 'rel_file');
  link('chain2', 'chain1');
  link('chain3', 'chain2');
  link('out_link', 'chain3');
  link(join(out, 'nothing-yet'), 'dangling');
  link('../../../outside/not-there', 'rel_dangling');
  link(join(out, 'no/such'), 'dangling_dir');
  link('..', 'link_up');
  link('../../proj2', 'sub/neighbour');
  link('/', 'slash');
  link('/proc/self/root', 'proc_link');
  link('loop2', 'loop1');
  link('loop1', 'loop2');
  link('src', 'inside_link');
  link(join(root, 'src'), 'inside_abs');
  link(join(alias, 'src'), 'inside_alias');
  link('src/new-file.ts', 'inside_dangling');
  link('.git/hooks', 'hooks_link');
  linkSync(join(out, 'secret.txt'), join(root, 'hard.txt'));
  const places = { $ROOT: root, $PROJ2: proj2, $OUT: out, $ALIAS: alias, $HOMEDIR: home };
  const fill = (value) => {
    if (typeof value === 'string')
      return value.replace(/\$(?:ROOT|PROJ2|OUT|ALIAS|HOMEDIR)\b/g, (name) => places[name]);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key), fill(item)]));
  };
  return { base, root, home, out, proj2, alias, fill, remove: () => rmSync(base, { recursive: true, force: true }) };
}

const CORPUS = join(dirname(fileURLToPath(import.meta.url)), 'corpus');

/**
 * Reads every case of the corpus: tests/guard/corpus/NAME.jsonl, one case per line, each file named after what it
 * protects. Files named `shell-…` hold commands for a shell. `{"$repeat": "x", "times": 3}` stands for "xxx".
 *
 * @returns {{ file: string, class: string, mode: 'both' | 'strict', call: { name: string, arguments: unknown, isText?: boolean }, expect: 'allow' | 'block', rule?: string }[]}
 */
export function readCorpus() {
  return readdirSync(CORPUS)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => readCorpusFile(file.slice(0, -'.jsonl'.length)));
}

/** Reads the cases of tests/guard/corpus/NAME.jsonl. */
export function readCorpusFile(name) {
  return readFileSync(join(CORPUS, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ file: name, ...JSON.parse(line) }));
}

/** Expands the arguments of a case: replaces `$repeat` by the long text. */
export function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$repeat === 'string')
    return (value.before ?? '') + value.$repeat.repeat(value.times) + (value.after ?? '');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]));
}
