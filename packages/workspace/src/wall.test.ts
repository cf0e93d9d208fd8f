import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ComponentStore, openComponentStore } from './component-store.ts';
import { WorkspaceError, type WorkspaceErrorCode } from './errors.ts';
import type { ResolverKind } from './resolve/root.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { makeScratch, memoryDir, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Every operation that takes a path, each with the path in the place under test. */
const OPERATIONS: Record<string, (workspace: Workspace, path: string) => unknown> = {
  'read text': (w, path) => w.readText(path),
  'read bytes': (w, path) => w.readBytes(path),
  write: (w, path) => w.write(path, 'WRITTEN'),
  append: (w, path) => w.append(path, 'WRITTEN'),
  edit: (w, path) => w.edit(path, [{ oldString: 'e', newString: 'WRITTEN', replaceAll: true }]),
  list: (w, path) => w.list(path, { details: true }),
  tree: (w, path) => w.tree(path, { maxDepth: 5, maxEntries: 100 }),
  info: (w, path) => w.info(path),
  'glob path': (w, path) => w.glob('**/*', { path }),
  'grep path': (w, path) => w.grep({ pattern: 'e', path, outputMode: 'content' }),
  'create directory': (w, path) => w.createDir(path),
  'move source': (w, path) => w.move(path, 'moved'),
  'move target': (w, path) => w.move('spare.txt', path),
  'copy source': (w, path) => w.copy(path, 'copied'),
  'copy target': (w, path) => w.copy('spare.txt', path),
  delete: (w, path) => w.delete(path, { recursive: true }),
  open: (w, path) => closeSync(w.open(path).fd),
  locate: (w, path) => {
    const at = w.locate(path);
    if (!at.inside) throw at.error;
  },
  'save component': (w, path) => withComponents(w, (store) => store.save(path, 'WRITTEN', 'saved')),
  'remove component': (w, path) => withComponents(w, (store) => store.remove(path)),
};

async function withComponents(workspace: Workspace, act: (store: ComponentStore) => unknown): Promise<unknown> {
  const store = openComponentStore(workspace.root, { resolver: workspace.resolver });
  try {
    return await act(store);
  } finally {
    store.close();
  }
}

type Kind = 'dangling' | 'refused' | 'file' | 'directory' | 'special' | 'hard link' | 'free';
interface Row {
  readonly path: string;
  readonly kind: Kind;
  readonly codes: readonly WorkspaceErrorCode[];
  /** The path's own last component is a link: what acts on names acts on the link. */
  readonly isLink: boolean;
}

const refused = (path: string, ...codes: WorkspaceErrorCode[]): Row => ({
  path,
  kind: 'refused',
  codes,
  isLink: false,
});
const refusedLink = (path: string, ...codes: WorkspaceErrorCode[]): Row => ({
  path,
  kind: 'refused',
  codes,
  isLink: true,
});
const works = (path: string, kind: Kind, isLink = false): Row => ({ path, kind, codes: [], isLink });

const TREE = [
  'plain.txt = one line here',
  'spare.txt = spare',
  'd/f.txt = here',
  'deep/dir/x.txt = here',
  'deep/g.txt = here',
  'ünïcode 名.txt = here',
  'CRLF.txt = e\\r\\n',
  'out-abs => $OUT/secret.txt',
  'out-rel => ../outside/secret.txt',
  'out-dir => $OUT',
  'out-dir-rel => ../outside',
  'chain => chain2',
  'chain2 => d/chain3',
  'd/chain3 => $OUT/secret.txt',
  'dir-chain => out-dir',
  'dangling-abs => $OUT/none.txt',
  'dangling-rel => ../outside/none/deep.txt',
  'up => ..',
  'd/up2 => ../../outside',
  'slash => /',
  'sibling => $ROOT-evil/x.txt',
  'magic-root => /proc/self/root',
  'magic-cwd => /proc/self/cwd',
  'magic-fd => /proc/self/fd/1',
  'magic-exe => /proc/self/exe',
  'zero => /dev/zero',
  'loop => loop',
  'loop-a => loop-b',
  'loop-b => loop-a',
  '.env = SECRET',
  '.git/config = SECRET',
  '.ssh/id_rsa = SECRET',
  '.lfsig/x = SECRET',
  'e/.components/x = SECRET',
  'safe => .env',
  'safe-dir => .git',
  'key => d/../.ssh/id_rsa',
  'sig => .lfsig',
  'base/token = SECRET',
  'to-base => base',
  'link-rel => plain.txt',
  'link-abs => $ROOT/plain.txt',
  'd/link-up => ../plain.txt',
  'chain-in => link-abs',
  'dir-link => d',
  'deep-link => deep/dir',
  'link-alias => $OUT/../workspace/plain.txt',
  'link-no-alias => $OUT/../nothing/../workspace/plain.txt',
  'link-other => $OUT/to-workspace/plain.txt',
  'dangling-in => nothing.txt',
  'hard.txt == $OUT/linked.txt',
  'to-hard => hard.txt',
  'to-fifo => fifo',
  'fifo-dir/',
];

const OUTSIDE = [
  'to-workspace => $ROOT',
  'secret.txt = SECRET here',
  'linked.txt = LINKED here',
  'sub/secret2.txt = SECRET here',
  'empty/',
];

const ROWS: Row[] = [
  ...[
    '..',
    '../outside/secret.txt',
    'd/../../outside/secret.txt',
    'no/../../outside/secret.txt',
    'd/../../workspace/plain.txt',
    '../workspace-evil/x.txt',
    '../../../../../../etc/passwd',
    '../new.txt',
    '..//../x',
    '/',
    '//',
    '/etc/passwd',
    '//etc/passwd',
    '$OUT',
    '$OUT/secret.txt',
    '$OUT/new.txt',
    '$OUT/new/deep.txt',
    '$ROOT-evil/x.txt',
    '$ROOT-evil',
    '$ROOT/../outside/secret.txt',
    '$ROOT/d/../../outside',
    '/proc/self/root/etc/passwd',
    '/proc/self/fd/1',
    '/proc/self/cwd/../package.json',
    '$ALIAS/../outside/secret.txt',
    '$ALIAS-none/plain.txt',
    // Callers must not learn what exists outside: not with `..` from an outside path, not through links the operator
    // never named.
    '$OUT/../workspace/plain.txt',
    '$OUT/nothing/../../workspace/plain.txt',
    '$OUT/sub/../../workspace/free.txt',
    '/etc/..$ROOT/plain.txt',
    '/proc/self/..$ROOT/plain.txt',
    '/proc/self/root$ROOT/plain.txt',
    '$OUT/to-workspace/plain.txt',
    '$OUT/to-workspace',
    '$D-ALIAS/f.txt',
    'base',
    'base/token',
    'base/new/file.txt',
    'to-base/token',
    'to-base/new/file.txt',
    'd/../base/token',
  ].map((path) => refused(path, 'outside')),
  ...[
    'out-dir/secret.txt',
    'out-dir/new.txt',
    'out-dir/new/deep.txt',
    'out-dir/sub/secret2.txt',
    'out-dir/..',
    'out-dir/../workspace/plain.txt',
    'out-dir-rel/secret.txt',
    'dir-chain/secret.txt',
    'dir-chain/new.txt',
    'up/outside/secret.txt',
    'up/new.txt',
    'd/up2/secret.txt',
    'slash/etc/passwd',
    'magic-root/etc/passwd',
    'magic-cwd/x',
    'up/workspace/plain.txt',
    'dir-link/up2/secret.txt',
    '$ROOT/out-dir/secret.txt',
    '$ALIAS/out-dir/secret.txt',
  ].map((path) => refused(path, 'link_outside')),
  ...[
    'out-abs',
    'out-rel',
    'out-dir',
    'out-dir-rel',
    'chain',
    'd/chain3',
    'dir-chain',
    'dangling-abs',
    'dangling-rel',
    'up',
    'd/up2',
    'slash',
    'sibling',
    'magic-root',
    'magic-cwd',
    'magic-fd',
    'magic-exe',
    'zero',
    'dir-link/up2',
    '$ROOT/out-abs',
    '$ALIAS/out-abs',
    'link-alias',
    'link-no-alias',
    'link-other',
  ].map((path) => refusedLink(path, 'link_outside')),
  refusedLink('to-base', 'outside'),
  ...['loop', 'loop-a'].map((path) => refusedLink(path, 'io')),
  ...['loop/x', 'loop-b/x/y'].map((path) => refused(path, 'io')),
  ...[
    '.lfsig',
    '.LFSIG',
    '.lfsig/x',
    '.LfSig/new',
    'e/.components/x',
    'e/.COMPONENTS',
    '.components/new/deep',
    'sig/x',
    '.env',
    '.ENV',
    '.git',
    '.git/config',
    'd/../.git/config',
    '.ssh/id_rsa',
    'safe-dir/config',
    'safe-dir/new/deep.txt',
    '$ROOT/.env',
    'new/.env',
    'd/x.pem',
  ].map((path) => refused(path, 'denied')),
  ...['safe', 'safe-dir', 'key', 'sig'].map((path) => refusedLink(path, 'denied')),
  ...['CON', 'd/aux.txt', 'a?b', 'd/x ', 'x.', 'a\0b', `${'d/'.repeat(2100)}x`].map((path) => refused(path, 'invalid')),
  ...[
    'plain.txt',
    './plain.txt',
    'd/../plain.txt',
    '$ROOT/plain.txt',
    '$ROOT/d/../plain.txt',
    'dir-link/f.txt',
    'dir-link/../plain.txt',
    'deep-link/../g.txt',
    'no/../plain.txt',
    '$ALIAS/plain.txt',
    '$ALIAS/dir-link/f.txt',
    'ünïcode 名.txt',
    'CRLF.txt',
    '/.$ROOT/./plain.txt',
  ].map((path) => works(path, 'file')),
  ...[
    'link-rel',
    'link-abs',
    'd/link-up',
    'chain-in',
    'link-given',
    '$ROOT/link-rel',
    '$ALIAS/link-rel',
    'dir-link/link-up',
  ].map((path) => works(path, 'file', true)),
  ...['d', './d/', '$ROOT/d', 'deep-link/.', 'deep-link/..', '$ALIAS/d', 'd/../d'].map((path) =>
    works(path, 'directory'),
  ),
  ...['dir-link', 'deep-link', '$ALIAS/dir-link'].map((path) => works(path, 'directory', true)),
  ...[
    'free.txt',
    'd/free.txt',
    'dir-link/free.txt',
    '$ROOT/free.txt',
    '$ALIAS/new.txt',
    'no/way/../free.txt',
    'new/deep/free.txt',
  ].map((path) => works(path, 'free')),
  ...['dangling-in', '$ALIAS/dangling-in'].map((path) => works(path, 'dangling', true)),
  ...['dangling-in/x', 'dangling-in/new/deep.txt'].map((path) => works(path, 'dangling')),
  ...['hard.txt'].map((path) => works(path, 'hard link')),
  works('to-hard', 'hard link', true),
  ...['fifo', 'socket', 'device'].map((path) => works(path, 'special')),
  works('to-fifo', 'special', true),
];

const NAMES_ONLY = new Set(['move source', 'delete']);
const NEW_NAMES = new Set(['move target', 'copy target']);
const WANT_DIRECTORY = new Set(['list', 'tree', 'glob path']);
const CHANGE_FILE = new Set(['write', 'append', 'edit']);
const OPEN_FILE = new Set(['read text', 'read bytes', 'open', 'copy source', 'grep path', ...CHANGE_FILE]);

/** The codes one of which must come, or none for success. */
function expected(operation: string, row: Row): readonly WorkspaceErrorCode[] {
  // Components have names and no paths.
  if (operation.endsWith(' component')) return ['invalid'];
  if (row.isLink && NAMES_ONLY.has(operation)) return [];
  if (
    row.kind !== 'free' &&
    (row.kind !== 'dangling' || row.isLink) &&
    (row.kind !== 'refused' || row.isLink) &&
    NEW_NAMES.has(operation)
  )
    return ['exists'];
  switch (row.kind) {
    case 'refused':
      return row.codes;
    case 'dangling':
      return operation === 'locate' ? [] : ['not_found'];
    case 'free':
      return CHANGE_FILE.has(operation) && operation !== 'edit'
        ? []
        : NEW_NAMES.has(operation) || operation === 'create directory' || operation === 'locate'
          ? []
          : ['not_found'];
    case 'directory':
      return OPEN_FILE.has(operation) && operation !== 'grep path' && operation !== 'copy source'
        ? ['is_directory']
        : [];
    default:
      if (WANT_DIRECTORY.has(operation)) return ['not_directory'];
      if (operation === 'create directory') return ['exists'];
      if (row.kind === 'hard link') return CHANGE_FILE.has(operation) ? ['hard_linked'] : [];
      return row.kind === 'special' && OPEN_FILE.has(operation) ? ['not_regular'] : [];
  }
}

/** Everything beside the workspace: names, kinds, contents, modes, times. */
function snapshot(scratch: Scratch): string {
  const lines: string[] = [];
  const visit = (at: string, name: string): void => {
    const stat = lstatSync(at);
    const content = stat.isFile() ? readFileSync(at, 'utf8') : stat.isSymbolicLink() ? readlinkSync(at) : '';
    // Only the base directory is compared without its time: the workspace is inside it.
    lines.push([name, stat.mode, stat.isDirectory() && name === '' ? 0 : stat.mtimeMs, stat.ino, content].join(' '));
    if (stat.isDirectory())
      for (const child of readdirSync(at).sort())
        if (name !== '' || child !== 'workspace') visit(join(at, child), `${name}/${child}`);
  };
  visit(scratch.base, '');
  return lines.join('\n');
}

/** The smallest scratch the path needs would be quicker, but a shared tree keeps the rows honest. */
function build(): { scratch: Scratch; fill: (path: string) => string } {
  const scratch = makeScratch(
    TREE.filter((line) => !line.includes(' == ')),
    OUTSIDE,
    memoryDir(),
  );
  const { workspace, base } = scratch;
  linkSync(join(scratch.outside, 'linked.txt'), join(workspace, 'hard.txt'));
  symlinkSync(workspace, join(base, 'alias'));
  symlinkSync(join(base, 'alias/plain.txt'), join(workspace, 'link-given'));
  symlinkSync(join(workspace, 'd'), join(base, 'd-alias'));
  mkdirSync(`${workspace}-evil`);
  writeFileSync(`${workspace}-evil/x.txt`, 'SECRET here');
  const fill = (path: string) =>
    path
      .replace('$OUT', scratch.outside)
      .replace('$ROOT', workspace)
      .replace('$ALIAS', join(base, 'alias'))
      .replace('$D-ALIAS', join(base, 'd-alias'));
  return { scratch, fill };
}

async function attempt(act: () => unknown): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await act() };
  } catch (error) {
    return { error };
  }
}

const special = makeScratch([], [], memoryDir());
const isRoot = process.getuid?.() === 0;
execFileSync('mkfifo', [join(special.base, 'fifo')]);
if (isRoot) execFileSync('mknod', [join(special.base, 'device'), 'c', '1', '5']);
afterAll(special.remove);

/** A pipe, a device and a socket. The first two are further names of one each, as making them takes a process. */
async function specials(workspace: string): Promise<() => void> {
  linkSync(join(special.base, 'fifo'), join(workspace, 'fifo'));
  if (isRoot) linkSync(join(special.base, 'device'), join(workspace, 'device'));
  // A path of at most 107 bytes is bound; tests run below the temporary directory.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(workspace, 'socket'), resolve));
  return () => server.close();
}

afterAll(closeSearchWorkers);

/** Rows that leave the tree alone share one: only what changes it needs a new one. */
const CHANGES = new Set([
  'write',
  'append',
  'edit',
  'create directory',
  'move source',
  'move target',
  'copy source',
  'copy target',
  'delete',
]);

describe.each<ResolverKind>(['openat2', 'walk', 'portable'])('the wall, resolver %s', (resolver) => {
  it.each(Object.keys(OPERATIONS))('%s keeps to the table', async (operation) => {
    const run = OPERATIONS[operation] as (typeof OPERATIONS)[string];
    let ran = 0;
    let built: (ReturnType<typeof build> & { workspace: Workspace; outside: string; close: () => void }) | undefined;
    const rows = ROWS.filter((row) => row.path !== 'device' || isRoot);
    /** Collected, because thousands of assertions cost more than the operations. */
    const wrong: string[] = [];
    for (const row of rows) {
      if (!built) {
        const { scratch, fill } = build();
        const stop = await specials(scratch.workspace);
        // Given by another name, which serves as well as the real one.
        const workspace = openWorkspace(join(scratch.base, 'alias'), {
          resolver,
          baseDir: join(scratch.workspace, 'base'),
          trashDir: join(scratch.workspace, 'base/trash'),
        });
        const outside = snapshot(scratch);
        const close = () => {
          stop();
          workspace.close();
          scratch.remove();
        };
        built = { scratch, fill, workspace, outside, close };
      }
      const { scratch, fill, workspace, close } = built;
      const changes = CHANGES.has(operation) && expected(operation, row).length === 0;
      try {
        const pipe =
          row.kind === 'special'
            ? openSync(join(scratch.workspace, 'fifo'), constants.O_RDWR | constants.O_NONBLOCK)
            : -1;
        if (pipe >= 0) writeSync(pipe, 'x');
        const path = fill(row.path);
        const { value, error } = await attempt(() => run(workspace, path));
        const check = (isRight: boolean, problem: string) => {
          if (!isRight) wrong.push(`${row.path.slice(0, 60)}: ${problem}`);
        };
        const codes = expected(operation, row);
        if (error !== undefined && !(error instanceof WorkspaceError)) throw error;
        const isExpected = error === undefined ? codes.length === 0 : codes.includes(error.code);
        check(isExpected, `${error?.code ?? 'done'} (${error?.message}) instead of ${codes.join(' or ') || 'done'}`);
        if (row.kind === 'hard link' && codes.length > 0 && CHANGE_FILE.has(operation))
          check(error?.message === 'Refusing to operate on multi-hardlink file (nlink=2)', `${error?.message}`);
        check(!JSON.stringify(value ?? null).includes('SECRET'), 'shows a secret');
        // A change outside stays until the tree is replaced, so the last of the rows that share a tree shows it.
        if (changes || row === rows.at(-1)) {
          const now = snapshot(scratch);
          check(now === built.outside, `changed outside, here or since the tree was built: ${now}`);
        }
        if (row.isLink && NAMES_ONLY.has(operation))
          check(readFileSync(join(scratch.workspace, 'plain.txt'), 'utf8') === 'one line here', 'changed the target');
        if (pipe >= 0) {
          check(readSync(pipe, Buffer.alloc(2), 0, 2, null) === 1, 'has read from the pipe');
          closeSync(pipe);
        }
        ran++;
      } finally {
        if (changes) {
          close();
          built = undefined;
        }
      }
    }
    built?.close();
    expect(wrong).toEqual([]);
    expect(ran).toBe(rows.length);
  });
});
