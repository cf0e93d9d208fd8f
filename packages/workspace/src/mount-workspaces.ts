import { WorkspaceError } from './errors.ts';
import type { FileInfo } from './operations/info.ts';
import type { GrepOptions, SearchOptions } from './operations/search.ts';
import type { Tree, TreeOptions } from './operations/tree.ts';
import { checkGlob } from './operations/search.ts';
import { compileGlob, expandBraces } from './search/glob-pattern.ts';
import type { Workspace } from './workspace.ts';

/** A workspace and the name it goes by as the first component of every path. */
export interface Mount {
  readonly name: string;
  readonly workspace: Workspace;
}

/**
 * Several workspaces as one, each under its own name. Every operation is handed to the one workspace its path names;
 * the names themselves can be listed and searched, and nothing else exists at the top. Moves and copies stay within
 * one workspace. Changes are reported with paths below their own workspace.
 */
export function mountWorkspaces(mounts: readonly Mount[]): Workspace {
  const names = mounts.map((mount) => mount.name);
  const top = mounts[0]?.workspace as Workspace;
  const place = (path: string): { workspace: Workspace; name: string; rest: string } | undefined => {
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
    createDir: (path) => named(path, inside(path), (workspace, rest) => workspace.createDir(rest)),
    move: (source, destination) => {
      const { workspace, from, to } = pair(source, destination);
      return renamed(
        [
          [from, source],
          [to, destination],
        ],
        () => workspace.move(from, to),
      );
    },
    copy: (source, destination) => {
      const { workspace, from, to } = pair(source, destination);
      return renamed(
        [
          [from, source],
          [to, destination],
        ],
        () => workspace.copy(from, to),
      );
    },
    delete: (path, options) => named(path, inside(path), (workspace, rest) => workspace.delete(rest, options)),
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
    usage: () => {
      const all = mounts.map(({ workspace }) => workspace.usage());
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

type Place = { workspace: Workspace; name: string; rest: string };

/** Runs an operation in one workspace; its messages name the path as the caller wrote it. */
function named<T>(path: string, { workspace, rest }: Place, act: (workspace: Workspace, rest: string) => T): T {
  return renamed([[rest, path]], () => act(workspace, rest));
}

/** Runs an operation; where its message ends in a path below one workspace, the caller reads the path he wrote. */
function renamed<T>(paths: readonly (readonly [below: string, written: string])[], act: () => T): T {
  const rename = (error: unknown): never => {
    if (!(error instanceof WorkspaceError)) throw error;
    const { code, message, extra, operatorMessage } = error;
    const found =
      paths.find(([below]) => message.endsWith(`: ${below}`)) ??
      paths.find(([below]) => below !== '.' && message.includes(below));
    if (!found || found[0] === found[1]) throw error;
    // The last one: what comes before may hold the same letters.
    const at = message.lastIndexOf(found[0]);
    const text = message.slice(0, at) + found[1] + message.slice(at + found[0].length);
    throw new WorkspaceError(code, text, { extra: { ...extra }, operatorMessage, cause: error });
  };
  try {
    const running = act();
    return running instanceof Promise ? (running.catch(rename) as T) : running;
  } catch (error) {
    return rename(error);
  }
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

async function globAll(
  mounts: readonly Mount[],
  pattern: string,
  options: SearchOptions = {},
  found: Place | undefined,
) {
  const chosen = found ? [found] : mounts.map((mount) => ({ ...mount, rest: '.' }));
  const limits = (mounts[0] as Mount).workspace.limits;
  checkGlob(pattern, limits);
  const results = await Promise.all(
    chosen.flatMap(({ workspace, name, rest }) =>
      (found ? [pattern] : patternsBelow(pattern, name, options.braces ?? false)).map(async (below) => {
        const { matches, truncated, truncatedBranches } = await workspace.glob(below, { ...options, path: rest });
        const prefix = (path: string) => `${name}/${path}`;
        return { matches: matches.map(prefix), truncated, branches: truncatedBranches.map(prefix) };
      }),
    ),
  );
  const limit = limits.globResults;
  const isName = compileGlob(pattern, { braces: options.braces ?? false }).matches;
  const tops = found ? [] : mounts.map(({ name }) => name).filter(isName);
  const matches = [...new Set([...tops, ...results.flatMap((result) => result.matches)])].sort();
  return {
    matches: matches.slice(0, limit),
    truncated: matches.length > limit || results.some((result) => result.truncated),
    truncatedBranches: [
      ...new Set([
        ...results.flatMap((r) => r.branches),
        ...matches.slice(limit).map((path) => path.split('/')[0] as string),
      ]),
    ].sort(),
  };
}

/** What a pattern over all workspaces asks of the one called `name`. */
function patternsBelow(pattern: string, name: string, braces: boolean): string[] {
  const alternatives = braces ? expandBraces(pattern) : [pattern];
  return alternatives.flatMap((one) => {
    const [first, ...rest] = one.split('/').filter((part) => part !== '' && part !== '.');
    // `**` is any number of components, and the name may be the first of those that follow it.
    if (first === '**') return [one, ...patternsBelow(rest.join('/'), name, false)];
    if (first === undefined || rest.length === 0) return [];
    return compileGlob(first).matches(name) ? [rest.join('/')] : [];
  });
}

async function grepAll(mounts: readonly Mount[], options: GrepOptions, found: Place | undefined) {
  const chosen = found ? [found] : mounts.map((mount) => ({ ...mount, rest: '.' }));
  const max =
    options.maxMatches ??
    (options.outputMode === 'content' ? (mounts[0]?.workspace.limits.grepLines ?? 250) : Number.MAX_SAFE_INTEGER);
  const all = { kind: 'grep' as const, matches: [] as { path: string }[], truncated: false, filesSearched: 0 };
  for (const { workspace, name, rest } of chosen) {
    const room = max - all.matches.length;
    const one = await named(options.path ?? rest, { workspace, name, rest }, () =>
      workspace.grep({ ...options, path: rest, maxMatches: Math.max(1, room) }),
    );
    const prefixed = one.matches.map((match) => ({ ...match, path: `${name}/${match.path}` }));
    all.matches.push(...prefixed.slice(0, Math.max(0, room)));
    all.truncated ||= one.truncated || prefixed.length > room;
    all.filesSearched += one.filesSearched;
    if (all.truncated) break;
  }
  return all;
}
