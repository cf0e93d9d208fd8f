import { WorkspaceError } from './errors.ts';
import type { FileInfo } from './operations/info.ts';
import { type Mount, named, type Place, renamed } from './mounted-place.ts';
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
  const pair = (source: string, destination: string) => {
    const from = inside(source);
    const to = inside(destination);
    if (from.workspace !== to.workspace)
      throw new WorkspaceError(
        'invalid',
        `Cannot move or copy between ${from.name} and ${to.name}; read and write instead`,
      );
    return { workspace: from.workspace, from: from.rest, to: to.rest };
  };
  return {
    ...top,
    get root() {
      return mounts.map(({ workspace }) => workspace.root).join(', ');
    },
    readText: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readText(rest, options)),
    readTextNow: (path, options) =>
      named(path, inside(path), (workspace, rest) => workspace.readTextNow(rest, options)),
    readWhole: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readWhole(rest, options)),
    readBytes: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readBytes(rest, options)),
    write: (path, content, options) =>
      named(path, inside(path), (workspace, rest) => workspace.write(rest, content, options)),
    receive: (path, source, options) =>
      named(path, inside(path), (workspace, rest) => workspace.receive(rest, source, options)),
    append: (path, content, options) =>
      named(path, inside(path), (workspace, rest) => workspace.append(rest, content, options)),
    edit: (path, edits, options) =>
      named(path, inside(path), (workspace, rest) => workspace.edit(rest, edits, options)),
    list: (path, options) => {
      const found = place(path);
      if (found) return named(path, found, (workspace, rest) => workspace.list(rest, options));
      const start = Math.max(0, options?.offset ?? 0);
      const page = [...names].sort().slice(start, start + (options?.limit ?? names.length));
      return { entries: page.map((name) => ({ name, type: 'directory' as const })), total: names.length };
    },
    tree: (path, options) => {
      const found = place(path);
      return found
        ? named(path, found, (workspace, rest) => workspace.tree(rest, options))
        : treeOfAll(mounts, options);
    },
    info: (path, options) => {
      const found = inside(path);
      return named(path, found, (workspace, rest) => below(found.name, workspace.info(rest, options)));
    },
    glob: (pattern, options) => globAll(mounts, pattern, options, place(options?.path ?? '.')),
    grep: (options) => grepAll(mounts, options, place(options.path ?? '.')),
    createDir: (path, options) => named(path, inside(path), (workspace, rest) => workspace.createDir(rest, options)),
    move: (source, destination, options) => {
      const { workspace, from, to } = pair(source, destination);
      return renamed(
        [
          [from, source],
          [to, destination],
        ],
        () => workspace.move(from, to, options),
      );
    },
    copy: (source, destination, options) => {
      const { workspace, from, to } = pair(source, destination);
      return renamed(
        [
          [from, source],
          [to, destination],
        ],
        () => workspace.copy(from, to, options),
      );
    },
    delete: (path, options) => named(path, inside(path), (workspace, rest) => workspace.delete(rest, options)),
    deleteAll: (paths, options) => {
      const places = paths.map((path) => inside(path));
      const [first] = places;
      if (!first) return Promise.resolve([]);
      if (places.some(({ workspace }) => workspace !== first.workspace))
        throw new WorkspaceError('invalid', 'Cannot delete in several workspaces at once');
      const names = places.map(({ rest }, i) => [rest, paths[i] as string] as const);
      return renamed(names, () =>
        first.workspace.deleteAll(
          names.map(([rest]) => rest),
          options,
        ),
      );
    },
    digest: (path, options) => named(path, inside(path), (workspace, rest) => workspace.digest(rest, options)),
    open: (path) => named(path, inside(path), (workspace, rest) => workspace.open(rest)),
    locate: (path) => {
      try {
        const { workspace, name, rest } = inside(path);
        const at = workspace.locate(rest);
        return at.inside ? { ...at, path: at.path === '.' ? name : `${name}/${at.path}` } : at;
      } catch (error) {
        if (error instanceof WorkspaceError) return { inside: false, error };
        throw error;
      }
    },
    undo: () => {
      throw new WorkspaceError('invalid', 'Undo in the workspace the change was made in');
    },
    trashBytes: () => {
      const all = mounts.flatMap(({ workspace }) => workspace.trashBytes() ?? []);
      return all.length === 0 ? undefined : Math.min(...all);
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

/** Where a link leads, as a path from the top. */
function below(name: string, info: FileInfo): FileInfo {
  return info.realPath === undefined
    ? info
    : { ...info, realPath: info.realPath === '.' ? name : `${name}/${info.realPath}` };
}

function treeOfAll(mounts: readonly Mount[], options: TreeOptions): Tree {
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
