// The tree under attack: a root with a path that the attacker swaps with the outside, and an outside that must not change.
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addPath, repairTree } from './tree-template.mjs';

export const INSIDE = 'INSIDE';
export const OUTSIDE = 'OUTSIDE';

/**
 * - `dir` a real directory in the path <-> an absolute link to the outside
 * - `rel` the same with a relative link
 * - `leaf` the last component itself <-> a link to its twin outside; a missing name <-> a dangling link for operations that create
 * - `dotdot` a link that stays inside by `(y/..)xN`, while `y` is swapped with a directory outside
 */
export const FLIPS = ['dir', 'rel', 'leaf', 'dotdot'];

/** The entries on both sides, so that every path that works inside works outside too. */
function templateOf(word, extras) {
  const template = new Map();
  for (const below of ['', 'sub/']) {
    for (const name of ['f.txt', 'w.txt', 'e.txt', 'p.txt', 'tree/x.txt', 'tree/deep/y.txt'])
      addPath(template, below + name, `${word} ${name}\n`);
    for (const dir of ['', 'tree/']) addPath(template, `${below}${dir}${word}.mark`, word);
  }
  for (const path of extras) addPath(template, path, `${word} extra\n`);
  return template;
}

/**
 * @param leaf the entry at the last component under `leaf`: file, dir, absent or absent-dir
 * @param extras files in the exchanged place that a batch of calls uses up, on both sides
 * @param uses files that it uses up below `src/`
 * @param steps how often the `..` link goes up and down
 */
export function makeArena(flip, { leaf, extras = [], uses = [], steps = 100 }) {
  const base = mkdtempSync(join(tmpdir(), 'croft-attack-'));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  for (const dir of ['root/a/keep', 'root/src', 'root/dst', 'outside', 'trash'])
    mkdirSync(join(base, dir), { recursive: true });
  writeFileSync(join(root, 'a/keep', `${INSIDE}.mark`), INSIDE);
  const layout = layouts[flip]({ base, root, outside, leaf, steps });
  const inside = templateOf(INSIDE, extras);
  const beyond = templateOf(OUTSIDE, extras);
  const box = new Map();
  box.mode = 0o700;
  beyond.set('box', box);
  if (flip === 'dotdot') addPath(beyond, 'p/y/stay', 'y');
  const sources = new Map();
  for (const path of ['s.txt', 'tree/x.txt', 'tree/deep/y.txt', ...uses]) addPath(sources, path, `${INSIDE} ${path}\n`);
  const held = layout.real ? openSync(layout.real, constants.O_RDONLY | constants.O_DIRECTORY) : -1;
  const removeAll = () => rmSync(base, { recursive: true, force: true });
  const arena = {
    base,
    root,
    outside,
    flip,
    job: layout.job,
    /** The path below the root that call `i` uses, and its real place below `real`. */
    at: layout.at,
    /** Reaches the real directory under its current name. */
    real: held >= 0 ? `/proc/self/fd/${held}` : undefined,
    /** Restores what a call used up while the attack continues. */
    mend: layout.mend ?? (() => {}),
    /** Restores everything; the attacker must be paused. Returns what was changed outside. */
    repair() {
      layout.mend?.(true);
      if (arena.real) repairTree(arena.real, inside, new Set(['b', 'keep']));
      repairTree(join(root, 'src'), sources);
      repairTree(join(root, 'dst'), new Map());
      return repairTree(outside, beyond);
    },
    remove() {
      process.off('exit', removeAll);
      if (held >= 0) closeSync(held);
      removeAll();
    },
  };
  process.once('exit', removeAll);
  arena.repair();
  return arena;
}

const layouts = {
  dir: (where) => directoryFlip(where, where.outside),
  rel: (where) => directoryFlip(where, '../../outside'),
  dotdot({ root, outside, steps }) {
    mkdirSync(join(root, 'a/b/y'), { recursive: true });
    mkdirSync(join(outside, 'p/y'), { recursive: true });
    // Both `y` look alike, so that their places do not matter.
    for (const y of [join(root, 'a/b/y'), join(outside, 'p/y')]) writeFileSync(join(y, 'stay'), 'y');
    symlinkSync(`${'y/../'.repeat(steps)}..`, join(root, 'a/b/l'));
    return {
      real: join(root, 'a'),
      job: { kind: 'exchange', a: join(root, 'a/b/y'), b: join(outside, 'p/y') },
      at: (i) => (i & 1 ? { dir: 'a/b/l/sub', below: 'sub/' } : { dir: 'a/b/l', below: '' }),
    };
  },
  leaf(where) {
    return where.leaf.startsWith('absent') ? appearingLeaf(where) : exchangedLeaf(where);
  },
};

function directoryFlip({ root }, target) {
  mkdirSync(join(root, 'a/flip'));
  symlinkSync(target, join(root, 'a/alt'));
  return {
    real: join(root, 'a/flip'),
    job: { kind: 'exchange', a: join(root, 'a/flip'), b: join(root, 'a/alt') },
    at: (i) => (i & 1 ? { dir: 'a/flip/sub', below: 'sub/' } : { dir: 'a/flip', below: '' }),
  };
}

/**
 * A free name where a link to the outside appears and disappears: dangling for files, to a directory for directories.
 */
function appearingLeaf({ root, outside, leaf }) {
  const name = join(root, 'a/leaf');
  const target = join(outside, leaf === 'absent' ? 'new' : 'box');
  return {
    real: undefined,
    job: { kind: 'appear', name, target },
    at: () => ({ leaf: 'a/leaf', dir: 'a' }),
    // The entry that a call created blocks the next call, and the attacker may be too slow to remove it.
    mend(still) {
      if (still) return rmSync(name, { recursive: true, force: true });
      const stat = lstatSync(name, { throwIfNoEntry: false });
      try {
        if (stat?.isDirectory()) rmdirSync(name);
        else if (stat?.isFile()) unlinkSync(name);
      } catch {
        // The attacker removed it first.
      }
    },
  };
}

/**
 * The last component and its twin: one is real, the other a link. Operations replace or remove either, so the pair is completed
 * after each call without stopping the attacker. An exchange fails while a name is missing.
 */
function exchangedLeaf({ base, root, outside, leaf }) {
  const a = join(root, 'a/leaf');
  const b = join(root, 'a/alt');
  const spare = join(base, 'spare');
  const target = leaf === 'dir' ? join(outside, 'tree') : join(outside, 'f.txt');
  const isLink = (at) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink();
  const put = (at, link) => {
    rmSync(spare, { recursive: true, force: true });
    if (link) symlinkSync(target, spare);
    else if (leaf === 'file') writeFileSync(spare, `${INSIDE} f.txt\n`);
    else fillLeafDir(spare);
    renameSync(spare, at);
  };
  const mend = (still) => {
    const one = lstatSync(a, { throwIfNoEntry: false });
    const two = lstatSync(b, { throwIfNoEntry: false });
    if (!one || !two) {
      if (!one && !two) put(b, true);
      const missing = one ? b : a;
      put(missing, !isLink(missing === a ? b : a));
    } else if (one.ino !== two.ino && one.isSymbolicLink() === two.isSymbolicLink()) {
      put(b, !one.isSymbolicLink());
    } else if (leaf === 'dir' && !still) {
      // An emptied directory does not attract the operation. Whichever name it has now, only a real directory is
      // filled.
      for (const at of [a, b]) refillThroughHandle(at);
    }
    if (!still) return;
    for (const at of [a, b]) if (!isLink(at)) restoreLeaf(at, leaf);
  };
  mend(true);
  return { real: undefined, job: { kind: 'exchange', a, b }, at: () => ({ leaf: 'a/leaf', dir: 'a/leaf' }), mend };
}

const LEAF_FILES = ['x.txt', 'deep/y.txt', `${INSIDE}.mark`];

function fillLeafDir(at) {
  for (const name of LEAF_FILES) {
    if (existsSync(`${at}/${name}`)) continue;
    mkdirSync(dirname(`${at}/${name}`), { recursive: true });
    writeFileSync(`${at}/${name}`, `${INSIDE} ${name}\n`);
  }
}

function refillThroughHandle(at) {
  let fd;
  try {
    fd = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return;
  }
  try {
    if (!existsSync(`/proc/self/fd/${fd}/x.txt`)) fillLeafDir(`/proc/self/fd/${fd}`);
  } catch {
    // The entry was deleted meanwhile; the next round repairs it.
  } finally {
    closeSync(fd);
  }
}

function restoreLeaf(at, leaf) {
  if (leaf === 'dir') fillLeafDir(at);
  else writeFileSync(at, `${INSIDE} f.txt\n`);
}
