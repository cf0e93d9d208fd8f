import { WorkspaceError } from './errors.ts';
import { type Mount, named, pathOperations, type Place } from './mounted-place.ts';
import { globAll, grepAll } from './mounted-search.ts';
import type { Tree, TreeOptions } from './operations/tree.ts';
import type { Workspace } from './workspace.ts';

export type { Mount } from './mounted-place.ts';

/**
 * Several workspaces as one, each under its own name. Every operation is handed to the one workspace its path names;
 * the names themselves can be listed and searched, and nothing else exists at the top. Moves and copies stay within
 * one workspace. Changes are reported with paths below their own workspace.
 */
export function mountWorkspaces(mounts: readonly Mount[]): Workspace {
  const names = mounts.map((mount) => mount.name);
  const top = mounts[0]?.workspace as Workspace;
  const place = (path: string): Place | undefined => {
    if (path.startsWith('/')) {
      const holder = mounts.find(({ workspace }) => workspace.locate(path).inside);
      if (holder) return { ...holder, rest: path };
    }
    const [name, ...rest] = path.split('/').filter((part) => part !== '' && part !== '.');
    if (name === undefined) return undefined;
    const mount = mounts.find((candidate) => candidate.name === name);
    if (mount) return { ...mount, rest: rest.join('/') || '.' };
    if (name === '..' || path.startsWith('/'))
      throw new WorkspaceError('outside', `Path escapes workspace boundary: ${path}`);
    throw new WorkspaceError('not_found', `File not found: ${path}. Paths begin with one of: ${names.join(', ')}`);
  };
  const inside = (path: string) => {
    const found = place(path);
    if (found) return found;
    throw new WorkspaceError(
      'is_directory',
      `This is the list of workspaces, not a place in one. Paths begin with one of: ${names.join(', ')}`,
    );
  };
  // Listed one by one: a spread of `top` would also pass on a new operation, which then would act on the first mount only.
  const { resolver, readOnly, restricted, limits, matcher } = top;
  return {
    resolver,
    readOnly,
    restricted,
    limits,
    matcher,
    ...pathOperations(inside),
    get root() {
      return mounts.map(({ workspace }) => workspace.root).join(', ');
    },
    list: (path, options) => {
      const found = place(path);
      if (found) return named(path, found, (workspace, rest) => workspace.list(rest, options));
      const start = Math.max(0, options?.offset ?? 0);
      const page = [...names].sort().slice(start, start + (options?.limit ?? names.length));
      return { entries: page.map((name) => ({ name, type: 'directory' as const })), total: names.length };
    },
    listPage: async (path, options) => {
      const found = place(path);
      if (found) return await named(path, found, (workspace, rest) => workspace.listPage(rest, options));
      const entries = [...names].sort().map((name) => ({ name, type: 'directory' as const }));
      return { entries, total: entries.length };
    },
    tree: (path, options) => {
      const found = place(path);
      return found
        ? named(path, found, (workspace, rest) => workspace.tree(rest, options))
        : treeOfAll(mounts, options);
    },
    glob: (pattern, options) => globAll(mounts, pattern, options, place(options?.path ?? '.')),
    grep: (options) => grepAll(mounts, options, place(options.path ?? '.')),
    trashBytes: () => {
      const all = mounts.flatMap(({ workspace }) => workspace.trashBytes() ?? []);
      return all.length === 0 ? undefined : Math.min(...all);
    },
    recount: () => {
      for (const { workspace } of mounts) workspace.recount();
    },
    settled: async () => {
      for (const { workspace } of mounts) await workspace.settled();
    },
    usage: async (signal) => {
      const all = await Promise.all(mounts.map(({ workspace }) => workspace.usage(signal)));
      return {
        bytes: all.reduce((sum, one) => sum + one.bytes, 0),
        files: all.reduce((sum, one) => sum + one.files, 0),
      };
    },
    close: () => {
      for (const { workspace } of mounts) workspace.close();
    },
  };
}

/** The trees of all mounts, each below the name of its mount. */
export function treeOfAll(mounts: readonly Mount[], options: TreeOptions): Tree {
  const entries: Tree['entries'][number][] = [];
  let truncated = false;
  for (const { name, workspace } of mounts) {
    const room = options.maxEntries - entries.length - 1;
    if (room < 0) {
      truncated = true;
      break;
    }
    entries.push({ name, path: name, type: 'directory', depth: 1 });
    if (options.maxDepth < 2) continue;
    const below = workspace.tree('.', { ...options, maxDepth: options.maxDepth - 1, maxEntries: Math.max(1, room) });
    entries.push(
      ...below.entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}`, depth: entry.depth + 1 })),
    );
    truncated ||= below.truncated;
  }
  return { entries: entries.slice(0, options.maxEntries), truncated: truncated || entries.length > options.maxEntries };
}
