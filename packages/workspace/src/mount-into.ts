import { posix } from 'node:path';
import { WorkspaceError } from './errors.ts';
import { treeOfAll } from './mount-workspaces.ts';
import { type Mount, named, pathOperations, type Place } from './mounted-place.ts';
import { globAll, grepAll } from './mounted-search.ts';
import type { DirListing, ListedEntry, ListOptions } from './operations/list-dir.ts';
import type { GlobResult, GrepOptions, GrepResult, SearchOptions } from './operations/search.ts';
import type { Tree, TreeOptions } from './operations/tree.ts';
import type { Workspace } from './workspace.ts';

/**
 * One tree: the workspace at the top with others mounted as directories of its root. A mount hides a real entry of its
 * name: paths, lists and searches see the mount only. Moves and copies stay within one workspace, and a mount itself
 * cannot be moved or deleted.
 *
 * A symlink in the workspace at the top that leads into a hidden directory reaches that directory, and not the mount: its
 * content can be read, and changes there are refused (`mounted`).
 *
 * `recount`, `usage` and `trashBytes` are those of the workspace at the top: each mount has its own quota and trash.
 *
 * Its `close` does nothing: the workspaces belong to the caller, who closes them.
 */
export function mountInto(top: Workspace, mounts: readonly Mount[]): Workspace {
  if (mounts.length === 0) return top;
  const find = (path: string): Place | 'top' => findPlace(top, mounts, path);
  const inside = (path: string): Place => {
    const found = find(path);
    return found === 'top' ? { name: '', workspace: top, rest: path } : found;
  };
  const forChange = (path: string, leaf: 'follow' | 'keep'): Place => {
    const found = inside(path);
    if (found.name === '') requireNotHidden(top, mounts, path, leaf);
    return found;
  };
  // Listed one by one: a spread of `top` would also pass on a new operation, which then would not see the mounts.
  const { root, resolver, readOnly, restricted, limits, matcher, recount, trashBytes, usage } = top;
  return {
    root,
    resolver,
    readOnly,
    restricted,
    limits,
    matcher,
    recount,
    trashBytes,
    usage,
    ...pathOperations(inside, forChange),
    list: (path, options) => {
      const found = find(path);
      if (found !== 'top') return named(path, found, (workspace, rest) => workspace.list(rest, options));
      return listTop(top, mounts, path, options);
    },
    listPage: (path, options) => {
      const found = find(path);
      if (found === 'top') return top.listPage(path, { ...options, mounted: mounts.map(({ name }) => name) });
      return named(path, found, (workspace, rest) => workspace.listPage(rest, options));
    },
    tree: (path, options) => {
      const found = find(path);
      if (found !== 'top') return named(path, found, (workspace, rest) => workspace.tree(rest, options));
      return treeTop(top, mounts, path, options);
    },
    glob: (pattern, options) => {
      const found = find(options?.path ?? '.');
      if (found === 'top') return globTop(top, mounts, pattern, options);
      return found.name === '' ? top.glob(pattern, options) : globAll(mounts, pattern, options, found);
    },
    grep: (options) => {
      const found = find(options.path ?? '.');
      if (found === 'top') return grepTop(top, mounts, options);
      return found.name === '' ? top.grep(options) : grepAll(mounts, options, found);
    },
    settled: async () => {
      for (const { workspace } of [{ workspace: top }, ...mounts]) await workspace.settled();
    },
    close: () => undefined,
  };
}

/** The name of the mount that a path leads into; `undefined` for a path into the workspace at the top. */
export function mountAt(top: Workspace, mounts: readonly Mount[], path: string): string | undefined {
  const found = findPlace(top, mounts, path);
  return found === 'top' || found.name === '' ? undefined : found.name;
}

function findPlace(top: Workspace, mounts: readonly Mount[], path: string): Place | 'top' {
  const written = writtenPath(top, path);
  if (path.startsWith('/') && written === undefined) {
    const mount = mounts.find(({ workspace }) => workspace.locate(path).inside);
    if (mount) return { ...mount, rest: path };
  }
  const [name, ...rest] = (written ?? '..').split('/');
  if (name === '.') return 'top';
  const mount = mounts.find((one) => one.name === name);
  return mount ? { ...mount, rest: rest.join('/') || '.' } : { name: '', workspace: top, rest: path };
}

/** Whether a mount of this name hides a real entry of the workspace at the top. */
export function isHiddenByMount(top: Workspace, name: string): boolean {
  const at = top.locate(name);
  return at.inside && at.exists;
}

/**
 * Refuses a change in a directory that a mount hides: the change would not be visible in the tree.
 *
 * @throws WorkspaceError `mounted`
 */
function requireNotHidden(top: Workspace, mounts: readonly Mount[], path: string, leaf: 'follow' | 'keep'): void {
  const at = top.locate(leaf === 'follow' ? path : posix.dirname(path));
  const hidden = at.inside ? mounts.find((mount) => isBelow([mount], at.path)) : undefined;
  if (hidden === undefined) return;
  throw new WorkspaceError(
    'mounted',
    `Cannot change ${path}: a link on it leads into a directory that the mount ${hidden.name}/ hides. Write below ${hidden.name}/ instead.`,
  );
}

/** A path as written, from the top, without `.` and `..`; `undefined` for an absolute path that is not below the top. */
function writtenPath(top: Workspace, path: string): string | undefined {
  if (!path.startsWith('/')) return posix.normalize(path === '' ? '.' : path).replace(/(?<=.)\/+$/, '');
  const root = top.root.endsWith('/') ? top.root : `${top.root}/`;
  const whole = posix.normalize(path);
  return `${whole}/`.startsWith(root) ? writtenPath(top, whole.slice(root.length)) : undefined;
}

const isBelow = (mounts: readonly Mount[], path: string): boolean =>
  mounts.some(({ name }) => path === name || path.startsWith(`${name}/`));

function listTop(top: Workspace, mounts: readonly Mount[], path: string, options: ListOptions = {}): DirListing {
  const { entries: all } = top.list(path);
  const own = all.filter(({ name }) => !isBelow(mounts, name));
  const isDirectory = ({ type }: ListedEntry) => type === 'directory';
  const mounted = mounts.map(({ name }) => ({ name, type: 'directory' as const }));
  const directories = [...own.filter(isDirectory), ...mounted].sort((a, b) => (a.name < b.name ? -1 : 1));
  const merged: readonly ListedEntry[] = [...directories, ...own.filter((entry) => !isDirectory(entry))];
  const start = Math.max(0, options.offset ?? 0);
  const page = merged.slice(start, start + (options.limit ?? merged.length));
  const indexes = page.map((entry) => all.indexOf(entry)).filter((index) => index >= 0);
  const first = indexes[0];
  if (first === undefined || !(options.details || options.sizes)) return { entries: page, total: merged.length };
  const wanted = { ...options, offset: first, limit: (indexes.at(-1) as number) - first + 1 };
  const detailed = new Map(top.list(path, wanted).entries.map((entry) => [entry.name, entry]));
  const isOwn = new Set(own);
  return {
    entries: page.map((entry) => (isOwn.has(entry) && detailed.get(entry.name)) || entry),
    total: merged.length,
  };
}

function treeTop(top: Workspace, mounts: readonly Mount[], path: string, options: TreeOptions): Tree {
  const own = top.tree(path, options);
  const entries = own.entries.filter((entry) => !isBelow(mounts, entry.path));
  const shown = mounts.filter(({ name }) => options.excludeNames?.has(name) !== true);
  let { truncated } = own;
  for (const mount of shown) {
    const below = treeOfAll([mount], options);
    truncated ||= below.truncated;
    const at = entries.findIndex(({ depth, type, name }) => depth === 1 && (type !== 'directory' || name > mount.name));
    entries.splice(at < 0 ? entries.length : at, 0, ...below.entries);
  }
  return {
    entries: entries.slice(0, options.maxEntries),
    truncated: truncated || entries.length > options.maxEntries,
  };
}

async function globTop(
  top: Workspace,
  mounts: readonly Mount[],
  pattern: string,
  options: SearchOptions | undefined,
): Promise<GlobResult> {
  const [own, mounted] = await Promise.all([
    top.glob(pattern, options),
    globAll(mounts, pattern, { ...options, path: '.' }, undefined),
  ]);
  const matches = [...own.matches.filter((path) => !isBelow(mounts, path)), ...mounted.matches].sort();
  const limit = top.limits.globResults;
  const left = matches.slice(limit).map((path) => path.split('/')[0] as string);
  return {
    ...own,
    matches: matches.slice(0, limit),
    truncated: own.truncated || mounted.truncated || left.length > 0,
    stoppedAfterMs: own.stoppedAfterMs ?? mounted.stoppedAfterMs,
    truncatedBranches: [...new Set([...own.truncatedBranches, ...mounted.truncatedBranches, ...left])].sort(),
  };
}

async function grepTop(top: Workspace, mounts: readonly Mount[], options: GrepOptions): Promise<GrepResult> {
  const own = await top.grep(options);
  const matches = own.matches.filter(({ path }) => !isBelow(mounts, path));
  const most =
    options.maxMatches ?? (options.outputMode === 'content' ? top.limits.grepLines : Number.MAX_SAFE_INTEGER);
  if (own.stoppedAfterMs !== undefined || (own.truncated && matches.length >= most)) return { ...own, matches };
  const mounted = await grepAll(
    mounts,
    { ...options, path: '.', maxMatches: Math.max(1, most - matches.length) },
    undefined,
  );
  const all = [...matches, ...mounted.matches];
  return {
    ...own,
    matches: all.slice(0, most),
    truncated: own.truncated || mounted.truncated || all.length > most,
    filesSearched: own.filesSearched + mounted.filesSearched,
    skipped: own.skipped + mounted.skipped,
    stoppedAfterMs: mounted.stoppedAfterMs,
  };
}
