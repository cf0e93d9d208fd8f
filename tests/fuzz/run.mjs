// Throws random paths at a workspace full of links. Claim: every call stays inside, or fails with a WorkspaceError.
// `npm run fuzz [-- --count 1000000] [--seed N]`; needs `tsc -b packages/workspace`.
import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkspace, WorkspaceError } from '../../packages/workspace/dist/index.js';
import { describeRun, runLines, writeResults } from '../../scripts/write-results.mjs';

/** Calls of a run whose result is kept. */
const WHOLE = 1_000_000;

const NAMES = [
  'a',
  'b',
  'd',
  'e',
  'file',
  'out',
  'outdir',
  'up',
  'rel',
  'abs',
  'chain',
  'loop',
  'dangling',
  'deep',
  'magic',
  '..',
  '..',
  '..',
  '.',
  '',
  'new',
  'new2',
  '.env',
  '.git',
  '.LFSIG',
  'CON',
  'x ',
  'é',
  '\ud800',
  '名',
  '...',
  '~',
  'a\\..\\b',
  '\0',
  '*',
  'n'.repeat(256),
];
const KINDS = ['openat2', 'walk', 'portable'];

/** A small fast generator, so that a seed gives the same run everywhere. */
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function build(base) {
  rmSync(base, { recursive: true, force: true });
  const root = join(base, 'workspace');
  const outside = join(base, 'outside');
  mkdirSync(join(root, 'd/e/deep'), { recursive: true });
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(outside, 'd/e'), { recursive: true });
  for (const name of ['file', 'a/file', 'd/file', 'd/e/file', '.env', '.git/file'])
    writeFileSync(join(root, name), `INSIDE ${name}`);
  for (const name of ['file', 'd/file', 'd/e/file']) writeFileSync(join(outside, name), 'OUTSIDE');
  const links = {
    out: `${outside}/file`,
    outdir: outside,
    up: '..',
    rel: '../outside/d',
    abs: `${root}/d`,
    chain: 'abs',
    loop: 'loop',
    dangling: `${outside}/none`,
    magic: '/proc/self/root',
  };
  for (const [name, target] of Object.entries(links))
    for (const at of ['', 'a/', 'd/e/'])
      symlinkSync(
        at === '' || target.startsWith('/') || !target.includes('/') ? target : `../${target}`,
        join(root, at + name),
      );
  symlinkSync(root, join(base, 'alias'));
  return { root, outside, base };
}

function snapshot(place) {
  const lines = [];
  const visit = (at, name) => {
    const stat = lstatSync(at);
    lines.push(
      `${name} ${stat.mode} ${stat.ino} ${stat.isDirectory() ? stat.mtimeMs : stat.isSymbolicLink() ? readlinkSync(at) : readFileSync(at, 'utf8')}`,
    );
    if (stat.isDirectory()) for (const child of readdirSync(at).sort()) visit(join(at, child), `${name}/${child}`);
  };
  visit(place.outside, '');
  return `${readdirSync(place.base).sort()}\n${lines.join('\n')}`;
}

/** Operations in the shape `(workspace, path, other, place)`; each throws or rejects if what it got is not from inside. */
/** @type {((workspace: any, path: string, other: string, place: any) => unknown)[]} */
const OPERATIONS = [
  (w, path, _other, place) => {
    const file = w.open(path);
    try {
      const real = realpathSync(`/proc/self/fd/${file.fd}`);
      if (!real.startsWith(`${place.root}/`)) throw new Error(`opened ${real}`);
      if (readFileSync(file.fd, 'utf8').includes('OUTSIDE')) throw new Error('read from outside');
    } finally {
      closeSync(file.fd);
    }
  },
  (w, path, _other, place) => {
    const at = w.locate(path);
    if (!at.inside) throw at.error;
    if (at.path.split('/').includes('..')) throw new Error(`located ${at.path}`);
    if (!at.exists || process.platform === 'win32') return;
    const real = realpathSync(join(place.root, at.path));
    if (real !== place.root && !real.startsWith(`${place.root}/`)) throw new Error(`located ${real}`);
  },
  (w, path) => w.info(path),
  (w, path) => {
    if (JSON.stringify(w.list(path).entries).includes('"outside"')) throw new Error('listed outside');
  },
  (w, path) => w.write(path, 'W'),
  (w, path) => w.append(path, 'A'),
  (w, path) => w.edit(path, [{ oldString: 'E', newString: 'F' }]),
  (w, path) => w.createDir(path),
  (w, path, other) => w.move(path, other),
  (w, path, other) => w.copy(path, other),
  (w, path) => w.delete(path, { recursive: true }),
];
const READING = 4;

function randomPath(pick, place) {
  const parts = Array.from({ length: 1 + pick(7) }, () => NAMES[pick(NAMES.length)]);
  const path = parts.join(pick(20) === 0 ? '//' : '/');
  switch (pick(12)) {
    case 0:
      return `${place.root}/${path}`;
    case 1:
      return `/${path}`;
    case 2:
      return `${place.base}/alias/${path}`;
    case 3:
      return `${place.outside}/${path}`;
    case 4:
      return `${place.root}${path}`;
    case 5:
      return `${path}/`;
    default:
      return path;
  }
}

/**
 * @param {{ count: number, seed?: number }} options
 * @returns {Promise<{ calls: number, served: number, refused: number, seed: number }>}
 * @throws on the first call that leaves the workspace or fails in another way
 */
export async function fuzz({ count, seed = 1 }) {
  const pick = random(seed);
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'croft-fuzz-'));
  const result = { calls: 0, served: 0, refused: 0, seed };
  try {
    let place = build(join(base, 'w'));
    let workspaces = [];
    const reopen = () => {
      for (const workspace of workspaces) workspace.close();
      workspaces = KINDS.map((resolver) => openWorkspace(place.root, { resolver }));
    };
    reopen();
    let before = snapshot(place);
    while (result.calls < count) {
      // Mutations use up the tree, so it is recreated from time to time, and the outside compared.
      if (result.calls % 400 === 399) {
        if (snapshot(place) !== before)
          throw new Error(`something outside changed before call ${result.calls} (seed ${seed})`);
        if (result.calls % 2_000 === 1_999) {
          place = build(join(base, 'w'));
          reopen();
          before = snapshot(place);
        }
      }
      const path = randomPath(pick, place);
      const other = randomPath(pick, place);
      const operation = OPERATIONS[pick(3) === 0 ? READING + pick(OPERATIONS.length - READING) : pick(READING)];
      result.calls++;
      try {
        await operation(workspaces[pick(KINDS.length)], path, other, place);
        result.served++;
      } catch (error) {
        if (!(error instanceof WorkspaceError))
          throw new Error(`call ${result.calls} (seed ${seed}) with ${JSON.stringify([path, other])}: ${error.stack}`);
        result.refused++;
      }
    }
    if (snapshot(place) !== before) throw new Error(`something outside changed (seed ${seed})`);
    for (const workspace of workspaces) workspace.close();
    return result;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function markdown(run, { calls, served, refused, seed }) {
  return `# Fuzz

Written by \`npm run fuzz\`: random paths to every operation. The run stops at the first change outside.

${runLines(run)}

| calls | served inside | refused | changes outside | seed |
|---:|---:|---:|---:|---:|
| ${calls} | ${served} | ${refused} | 0 | ${seed} |
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name, fallback) =>
    process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback;
  const run = describeRun();
  const start = performance.now();
  const result = await fuzz({ count: option('--count', WHOLE), seed: option('--seed', Date.now() % 2 ** 31) });
  if (result.calls >= WHOLE) writeResults('fuzz', markdown(run, result));
  console.log(
    `${result.calls} random paths: ${result.served} served inside, ${result.refused} refused, 0 outside (seed ${result.seed}, ${Math.round((performance.now() - start) / 1000)} s)`,
  );
}
