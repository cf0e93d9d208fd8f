// Every operation of the workspace as one attacked call, with its unprotected twin and a proof that must hold inside
// afterwards. Paths go through the swapped directory.
/** Calls per batch; the outside is checked after each batch. */
export const BATCH = 64;
const EVERY = 8;

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {boolean} mutates
 * @property {string} leaf the kind of the last component under the `leaf` flip
 * @property {(i: number) => string[]} [extras] files that call `i` of a batch consumes below the swapped path
 * @property {(i: number) => string[]} [sources] files that it consumes below `src/`
 * @property {(ws: object, at: object, i: number, openBelow: (subPath: string) => object) => unknown} call
 * @property {(twin: object, at: object, i: number) => unknown} twin
 * @property {(at: object, i: number) => [string, string?] | undefined} [proof] a path that must exist in the
 *   real directory after call `i` succeeded, and the start of its text
 */

/** The path of `name` in the swapped directory; under `leaf` the swapped path itself. */
const path = (at, name) => at.leaf ?? `${at.dir}/${name}`;
const rare = (i) => i % EVERY === EVERY - 1;
/** Walks start at the swapped path, and every other pair of calls above it, except through a `..` link. */
const start = (at, i) => (i % 4 < 2 || at.dir.startsWith('a/b') ? at.dir : 'a');
const proofOf = (name, text) => (at, i) => (at.leaf ? undefined : [at.below + name(i), text?.(i)]);

const text = (i) => `INSIDE ${i}\n`;

const reads = [
  {
    name: 'read',
    leaf: 'file',
    call: (ws, at) => ws.readText(path(at, 'f.txt')),
    twin: (twin, at) => twin.read(path(at, 'f.txt')),
  },
  { name: 'list', leaf: 'dir', call: (ws, at) => ws.list(at.dir), twin: (twin, at) => twin.list(at.dir) },
  {
    name: 'list page',
    leaf: 'dir',
    call: (ws, at, i) => ws.listPage(at.dir, { inThread: i % 2 === 0 }),
    twin: (twin, at) => twin.list(at.dir),
  },
  {
    name: 'tree',
    leaf: 'dir',
    call: (ws, at, i) => ws.tree(start(at, i), { maxDepth: 5, maxEntries: 200 }),
    twin: (twin, at, i) => twin.walk(start(at, i)),
  },
  {
    name: 'glob',
    leaf: 'dir',
    call: (ws, at, i) => ws.glob('**/*', { path: start(at, i) }),
    twin: (twin, at, i) => twin.walk(start(at, i)),
  },
  {
    // A workspace below another: its root descriptor must have been opened inside.
    name: 'sub-path',
    leaf: 'dir',
    call(ws, at, i, openBelow) {
      const inner = openBelow(at.dir);
      try {
        return inner.list('.');
      } finally {
        inner.close();
      }
    },
    twin: (twin, at) => twin.list(at.dir),
  },
  {
    name: 'grep',
    leaf: 'file',
    call: (ws, at, i) => ws.grep({ pattern: 'SIDE', path: at.leaf ?? start(at, i), outputMode: 'content' }),
    twin: (twin, at, i) => twin.grep(at.leaf ?? start(at, i), 'SIDE'),
  },
];

const writes = [
  {
    name: 'write',
    leaf: 'file',
    call: (ws, at, i) => ws.write(path(at, 'w.txt'), text(i)),
    twin: (twin, at, i) => twin.write(path(at, 'w.txt'), text(i)),
    proof: proofOf(
      () => 'w.txt',
      () => 'INSIDE',
    ),
  },
  {
    name: 'create',
    leaf: 'absent',
    call: (ws, at, i) => ws.write(path(at, `new-${i}`), text(i)),
    twin: (twin, at, i) => twin.write(path(at, `new-${i}`), text(i)),
    proof: proofOf((i) => `new-${i}`, text),
  },
  {
    name: 'edit',
    leaf: 'file',
    call: (ws, at) => ws.edit(path(at, 'e.txt'), [{ oldString: 'SIDE', newString: 'SIDE.' }]),
    twin: (twin, at) => twin.edit(path(at, 'e.txt'), 'SIDE', 'SIDE.'),
    proof: proofOf(
      () => 'e.txt',
      () => 'INSIDE.',
    ),
  },
  {
    name: 'append',
    leaf: 'file',
    call: (ws, at) => ws.append(path(at, 'p.txt'), '+'),
    twin: (twin, at) => twin.append(path(at, 'p.txt'), '+'),
    proof: proofOf(
      () => 'p.txt',
      () => 'INSIDE p.txt\n+',
    ),
  },
  {
    // The root of the change is a directory that was opened below another one.
    name: 'in sub-path',
    leaf: 'dir',
    call(ws, at, i, openBelow) {
      const inner = openBelow(at.dir);
      try {
        return inner.write('w.txt', text(i));
      } finally {
        inner.close();
      }
    },
    twin: (twin, at, i) => twin.write(`${at.dir}/w.txt`, text(i)),
    proof: proofOf(
      () => 'w.txt',
      () => 'INSIDE',
    ),
  },
];

/** A stream of two chunks; directories may be swapped between them. */
async function* streamed(whole) {
  yield Buffer.from(whole.slice(0, 4));
  yield Buffer.from(whole.slice(4));
}

const uploads = [
  {
    name: 'receive',
    leaf: 'file',
    call: (ws, at, i) => ws.receive(path(at, 'w.txt'), streamed(text(i)), { maxBytes: 1_000 }),
    twin: (twin, at, i) => twin.write(path(at, 'w.txt'), text(i)),
    proof: proofOf(
      () => 'w.txt',
      () => 'INSIDE',
    ),
  },
  {
    name: 'receive new',
    leaf: 'absent',
    call: (ws, at, i) => ws.receive(path(at, `new-${i}`), streamed(text(i)), { maxBytes: 1_000 }),
    twin: (twin, at, i) => twin.write(path(at, `new-${i}`), text(i)),
    proof: proofOf((i) => `new-${i}`, text),
  },
];

const structure = [
  {
    name: 'mkdir',
    leaf: 'absent-dir',
    call: (ws, at, i) => ws.createDir(path(at, rare(i) ? `d-${i}/x/y` : `d-${i}`)),
    twin: (twin, at, i) => twin.createDir(path(at, `d-${i}`)),
    proof: proofOf((i) => (rare(i) ? `d-${i}/x/y` : `d-${i}`)),
  },
  {
    name: 'move source',
    leaf: 'file',
    extras: (i) => [`m-${i}`],
    call: (ws, at, i) => ws.move(path(at, `m-${i}`), `dst/r-${i}`),
    twin: (twin, at, i) => (at.leaf ? twin.moveByCopy : twin.move)(path(at, `m-${i}`), `dst/r-${i}`),
  },
  {
    name: 'move target',
    leaf: 'absent',
    sources: (i) => [`s-${i}`],
    call: (ws, at, i) => ws.move(`src/s-${i}`, path(at, `t-${i}`)),
    twin: (twin, at, i) => (at.leaf ? twin.moveByCopy : twin.move)(`src/s-${i}`, path(at, `t-${i}`)),
    proof: proofOf(
      (i) => `t-${i}`,
      () => 'INSIDE',
    ),
  },
  {
    name: 'copy source',
    leaf: 'file',
    call: (ws, at, i) => ws.copy(path(at, rare(i) ? 'tree' : 'f.txt'), `dst/c-${i}`),
    twin: (twin, at, i) => twin.copy(path(at, rare(i) ? 'tree' : 'f.txt'), `dst/c-${i}`),
  },
  {
    name: 'copy target',
    leaf: 'absent',
    call: (ws, at, i) => ws.copy(rare(i) && !at.leaf ? 'src/tree' : 'src/s.txt', path(at, `t-${i}`)),
    twin: (twin, at, i) => twin.copy(rare(i) && !at.leaf ? 'src/tree' : 'src/s.txt', path(at, `t-${i}`)),
    proof: proofOf(
      (i) => (rare(i) ? `t-${i}/deep/y.txt` : `t-${i}`),
      () => 'INSIDE',
    ),
  },
  {
    name: 'delete',
    leaf: 'dir',
    extras: (i) => (rare(i) ? [`k-${i}/x.txt`, `k-${i}/deep/y.txt`] : [`m-${i}`]),
    call: (ws, at, i) => ws.delete(path(at, rare(i) ? `k-${i}` : `m-${i}`), { recursive: true }),
    twin: (twin, at, i) => twin.remove(path(at, rare(i) ? `k-${i}` : `m-${i}`)),
  },
];

/** @type {Operation[]} */
export const OPERATIONS = [
  ...reads.map((op) => ({ ...op, mutates: false })),
  ...[...writes, ...uploads, ...structure].map((op) => ({ ...op, mutates: true })),
];
