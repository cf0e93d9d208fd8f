import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkspaceError } from './errors.ts';
import type { ResolverKind } from './resolve/root.ts';
import { makeScratch, memoryDir, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const TREE = [
  'a.txt = alpha',
  'empty = ',
  'crlf.txt = x\\r\\ny\\r\\n',
  'ünï/名前.txt = unicode',
  'd/e/f.txt = deep',
  'd/e/g/',
  'd/h => e/f.txt',
  'd/up => ../a.txt',
  'dl => d/e',
  'abs => $ROOT/d',
  'chain => dl',
  'back => d/../ünï',
  'file-link => d/up',
  'mode.sh = run',
  'void/',
];

/** One act, done by the workspace and by plain Node in a twin of the tree. */
interface Act {
  readonly name: string;
  readonly croft: (workspace: Workspace, path: string, other: string) => unknown;
  /** `at` makes the path in the twin, parents of links and `..` left to the kernel. */
  readonly node: (path: string, other: string) => unknown;
}

const parents = (path: string) => mkdirSync(dirname(path), { recursive: true });
const fresh = (path: string) => {
  if (lstatSync(path, { throwIfNoEntry: false })) throw new Error('exists');
  parents(path);
};

const ACTS: Act[] = [
  {
    name: 'read',
    croft: async (w, path) => (await w.readBytes(path)).bytes.toString(),
    node: (path) => readFileSync(path, 'utf8'),
  },
  {
    name: 'list',
    croft: (w, path) =>
      w
        .list(path)
        .entries.map((entry) => entry.name)
        .sort(),
    node: (path) => readdirSync(path).sort(),
  },
  { name: 'info', croft: (w, path) => w.info(path).sizeBytes, node: (path) => statSync(path).size },
  { name: 'write', croft: (w, path) => void w.write(path, 'new\r\n'), node: (path) => writeThrough(path) },
  {
    name: 'append',
    croft: (w, path) => void w.append(path, 'more'),
    node: (path) => (existsSync(path) ? appendFileSync(path, 'more') : writeThrough(path, 'more')),
  },
  {
    name: 'createDir',
    croft: (w, path) => void w.createDir(path),
    node: (path) => void mkdirSync(path, { recursive: true }),
  },
  { name: 'move', croft: (w, path, other) => void w.move(path, other), node: (path, other) => moveTo(path, other) },
  {
    name: 'copy',
    croft: async (w, path, other) => void (await w.copy(path, other)),
    node: (path, other) => copyTo(path, other),
  },
  {
    name: 'delete',
    croft: async (w, path) => void (await w.delete(path, { recursive: true })),
    node: (path) => rmSync(join(realpathSync.native(dirname(path)), basename(path)), { recursive: true }),
  },
];

function writeThrough(path: string, text = 'new\r\n'): void {
  // The one difference meant: nothing is made where a link leads to nothing.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(path)) throw new Error('exists');
  parents(path);
  writeFileSync(path, text);
}

function moveTo(path: string, other: string): void {
  lstatSync(path);
  fresh(other);
  renameSync(path, other);
}

function copyTo(path: string, other: string): void {
  const source = statSync(path);
  // Node copies a directory into itself through a link, without end.
  if (source.isDirectory() && `${realOf(other)}/`.startsWith(`${realpathSync.native(path)}/`))
    throw new Error('exists');
  fresh(other);
  // Links inside a copied directory are left out by Croft, which makes none. Node takes `..` out of paths by their text.
  cpSync(realpathSync.native(path), join(realpathSync.native(dirname(other)), basename(other)), {
    recursive: source.isDirectory(),
    dereference: true,
    errorOnExist: true,
    filter: (from) => !lstatSync(from).isSymbolicLink(),
  });
}

/** The real path of the nearest parent that exists. */
function realOf(path: string): string {
  return existsSync(dirname(path)) ? realpathSync.native(dirname(path)) : realOf(dirname(path));
}

/** `missing/../a.txt` is `a.txt` in a workspace; the kernel requires the missing directory to exist. */
function climbsOutOfNothing(root: string, path: string): boolean {
  const at = path.indexOf('/..');
  return (
    (at > 0 && !existsSync(`${root}/${path.slice(0, at)}`)) || (path.startsWith('back') && !existsSync(`${root}/d/.`))
  );
}

function contents(root: string, at = root, name = '.'): string[] {
  const stat = lstatSync(at);
  const body = stat.isFile()
    ? readFileSync(at, 'utf8')
    : stat.isSymbolicLink()
      ? readlinkSync(at).replace(root, '')
      : '';
  const own = `${name} ${stat.isSymbolicLink() ? 'link' : stat.mode.toString(8)} ${body}`;
  return stat.isDirectory()
    ? [
        own,
        ...readdirSync(at)
          .sort()
          .flatMap((child) => contents(root, join(at, child), `${name}/${child}`)),
      ]
    : [own];
}

function twin(): Scratch {
  const scratch = makeScratch(TREE, undefined, memoryDir());
  chmodSync(join(scratch.workspace, 'mode.sh'), 0o751);
  chmodSync(join(scratch.workspace, 'd/e'), 0o750);
  return scratch;
}

async function outcome(act: () => unknown): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof WorkspaceError || (error as { code?: unknown }).code || (error as Error).message === 'exists')
      return 'failed';
    throw error;
  }
}

const NAMES = [
  'a.txt',
  'empty',
  'crlf.txt',
  'ünï',
  'ünï/名前.txt',
  'd',
  'd/e',
  'd/e/f.txt',
  'd/h',
  'd/up',
  'dl',
  'dl/f.txt',
  'dl/g',
  'abs',
  'abs/e/f.txt',
  'chain/f.txt',
  'back',
  'back/名前.txt',
  'file-link',
  'mode.sh',
  'void',
  'dl/../h',
  'abs/../a.txt',
  'd/e/../../a.txt',
  'chain/../e/f.txt',
  'new.txt',
  'dl/new.txt',
  'new/deep/er.txt',
  'a.txt/x',
  'void/new',
  'd/e/g/n.txt',
  '.',
  './d/./e',
];

const umask = process.umask(0o022);
afterAll(() => void process.umask(umask));

describe.each<ResolverKind>(['openat2', 'walk', 'portable'])('inside the wall, resolver %s', (resolver) => {
  it('every operation does what plain Node does, with the same tree after it', async () => {
    const step = fc.record({
      act: fc.constantFrom(...ACTS),
      path: fc.constantFrom(...NAMES),
      other: fc.constantFrom(...NAMES),
      isAbsolute: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const ours = twin();
        const theirs = twin();
        const workspace = openWorkspace(ours.workspace, { resolver });
        try {
          for (const { act, path, other, isAbsolute } of steps) {
            // The root itself is not to be moved or deleted, and an own name is not given twice.
            if ((act.name === 'move' || act.name === 'delete' || act.name === 'copy') && path === '.') continue;
            if (climbsOutOfNothing(theirs.workspace, path) || climbsOutOfNothing(theirs.workspace, other)) continue;
            const own = await outcome(() =>
              act.croft(workspace, isAbsolute ? `${ours.workspace}/${path}` : path, other),
            );
            const node = await outcome(() => act.node(`${theirs.workspace}/${path}`, `${theirs.workspace}/${other}`));
            const label = `${act.name} ${path} ${other}`;
            expect(own, label).toEqual(node);
            if (own === 'failed') cleanParents(theirs, ours);
            expect(contents(ours.workspace), label).toEqual(contents(theirs.workspace));
          }
        } finally {
          workspace.close();
          ours.remove();
          theirs.remove();
        }
      }),
      {
        numRuns: Number(process.env.CROFT_PARITY_RUNS ?? 80),
        ...(process.env.CROFT_PARITY_RUNS === undefined && { seed: 42 }),
      },
    );
  });
});

/** Plain Node leaves the parents of a failed act; the workspace does not, which is the better tree. */
function cleanParents(theirs: Scratch, ours: Scratch): void {
  for (const name of ['d/e/g', 'd/e', 'd', 'void', 'new/deep', 'new', 'a.txt'])
    if (!existsSync(join(ours.workspace, name))) removeIfEmpty(join(theirs.workspace, name));
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Not empty, or not a directory: then the operation did not create it.
  }
}
