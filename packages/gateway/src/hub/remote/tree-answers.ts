import { makeToolset, type ToolResult, type WorkspaceSource } from '@croft/tools';
import { checkGlob, DEFAULT_LIMITS, type Workspace, WorkspaceError } from '@croft/workspace';
import { fromHome, isHomePath } from './home-path.ts';
import { compileNamePattern } from './name-pattern.ts';
import { isWindowsPath, type PackedListing, type PackedTree, readPacked } from '../tree/pack-tree.ts';

// Trees and lists from the cached tree, computed by the same tools that serve a local directory: they get an object
// with the parts of a workspace that they use.

/** The part of a workspace that the two tools use. */
type ListedWorkspace = Pick<Workspace, 'tree' | 'matcher' | 'limits'>;

/** The tools of `explore` as defined here: the remote tools have the same names, schemas and texts. */
export const EXPLORE = makeToolset('explore', { acquire: unreachable });

function unreachable(): never {
  throw new Error('the tools of explore are only described here');
}

/** Whether the cached tree alone answers calls of this tool. */
export function isTreeTool(name: string): boolean {
  return name === 'get-file-tree' || name === 'list-files';
}

/** Thrown if the cached tree does not contain the answer; the machine is asked instead, if possible. */
export class NotInTree extends WorkspaceError {}

/** A directory of a machine whose tree is cached. */
export interface CachedDirectory {
  readonly rootPath: string;
  readonly tree: PackedTree;
  /** The machine itself can be asked, so answer only what is certain. */
  readonly canAsk: boolean;
}

/** One call to answer from a tree, with parsed input. */
export interface TreeCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Answers `get-file-tree` and `list-files` from cached trees, in the local tools' shapes and limits. The returned
 * function throws NotInTree, and WorkspaceError `outside`, `not_found`, `not_directory`, `invalid`.
 */
export function makeTreeAnswers(): (directory: CachedDirectory, call: TreeCall) => ToolResult | Promise<ToolResult> {
  let present: CachedDirectory | undefined;
  const read = rememberingLast();
  const source = { acquire: () => (present ? listed(present, read) : unreachable()) } as unknown as WorkspaceSource;
  const tools = makeToolset('explore', source, { exploreExcludes: [] });
  return (directory, call) => {
    const tool = tools.find(({ name }) => name === call.name && isTreeTool(name));
    if (!tool) throw new NotInTree('not_found', `No answer from a tree: ${call.name}`);
    // These two tools read their workspace before they first wait, so concurrent calls do not mix.
    present = directory;
    try {
      return tool.run(call.input as never, {});
    } finally {
      present = undefined;
    }
  };
}

/**
 * Reads packed trees and caches the last listing: a model lists one directory with several patterns, and unpacking ten
 * thousand entries is most of the work. One listing for all machines keeps memory bounded.
 */
function rememberingLast(): typeof readPacked {
  let last: { tree: PackedTree; key: string; listing: PackedListing } | undefined;
  return (tree, parts, { maxDepth, maxEntries }) => {
    const key = `${maxDepth}/${maxEntries}/${parts.join('/')}`;
    if (last?.tree !== tree || last.key !== key)
      last = { tree, key, listing: readPacked(tree, parts, { maxDepth, maxEntries }) };
    return last.listing;
  };
}

function listed({ rootPath, tree, canAsk }: CachedDirectory, read: typeof readPacked): ListedWorkspace {
  return {
    limits: DEFAULT_LIMITS,
    matcher(pattern) {
      checkGlob(pattern, DEFAULT_LIMITS);
      return compileNamePattern(pattern);
    },
    tree(path, options) {
      const parts = partsBelow(rootPath, path);
      const found = read(tree, parts, options);
      const isComplete = parts.length + options.maxDepth <= tree.completeDepth;
      const isSure = found.kind === 'directory' && (isComplete || found.more);
      if (canAsk && !isSure) throw new NotInTree('not_found', `Not in the tree that the server has: ${path}`);
      if (found.kind === 'file') throw new WorkspaceError('not_directory', `Not a directory: ${path}`);
      if (found.kind === 'absent')
        throw new WorkspaceError('not_found', `Not in the connected directory's tree: ${path}`);
      return { entries: found.entries, truncated: found.more || !isComplete };
    },
  };
}

/** The components of a path, as a model wrote it, below the shared directory. */
function partsBelow(rootPath: string, path: string): string[] {
  if (path.includes('\0')) throw new WorkspaceError('invalid', 'Path contains NUL byte');
  const isWindows = isWindowsPath(rootPath);
  const plain = (text: string): string => (isWindows ? text.replaceAll('\\', '/') : text).replace(/\/+$/, '');
  const root = plain(rootPath);
  const given = plain(path);
  let below = given;
  if (path.startsWith('/') || isWindowsPath(path)) {
    if (given !== root && !given.startsWith(`${root}/`)) throw outside(path);
    below = given.slice(root.length);
  }
  const parts: string[] = [];
  for (const part of below.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw outside(path);
  }
  return parts;
}

function outside(path: string): WorkspaceError {
  return new WorkspaceError('outside', `Path "${path}" is outside the allowed directory`);
}

/** The path for clients of the first dialect: relative to the root; unchanged if that is not possible. */
export function relativeToRoot(rootPath: string, path: string): string {
  try {
    const given = isHomePath(path) ? fromHome(rootPath, path) : path;
    return given === undefined ? path : partsBelow(rootPath, given).join('/') || '.';
  } catch {
    return path;
  }
}
