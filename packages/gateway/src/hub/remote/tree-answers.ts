import { makeToolset, type ToolResult, type WorkspaceSource } from '@croft/tools';
import { checkGlob, DEFAULT_LIMITS, type Workspace, WorkspaceError } from '@croft/workspace';
import { compileNamePattern } from './name-pattern.ts';
import { isWindowsPath, type PackedListing, type PackedTree, readPacked } from '../tree/pack-tree.ts';

// Trees and lists out of the cached tree, by the very tools that answer them for a directory of this machine: they are
// given something that looks like a workspace as far as they look.

/** Which part of a workspace the two tools use. */
type ListedWorkspace = Pick<Workspace, 'tree' | 'matcher' | 'limits'>;

/** The tools of `explore` as this machine has them: their names, schemas and words are the remote ones' too. */
export const EXPLORE = makeToolset('explore', { acquire: unreachable });

function unreachable(): never {
  throw new Error('the tools of explore are only described here');
}

/** Whether the cached tree alone answers calls of this tool. */
export function isTreeTool(name: string): boolean {
  return name === 'get-file-tree' || name === 'list-files';
}

/** Thrown where the cached tree does not know enough; the machine is asked instead, where it can be. */
export class NotInTree extends WorkspaceError {}

/** A directory of a machine whose tree is at hand. */
export interface CachedDirectory {
  readonly rootPath: string;
  readonly tree: PackedTree;
  /** The machine can be asked itself: answer only what is certain. */
  readonly canAsk: boolean;
}

/** One call to answer from a tree; its input has been parsed. */
export interface TreeCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Answers `get-file-tree` and `list-files` from cached trees, in the local tools' shapes and limits. The function it
 * gives throws NotInTree, and WorkspaceError `outside`, `not_found`, `not_directory`, `invalid`.
 */
export function makeTreeAnswers(): (directory: CachedDirectory, call: TreeCall) => ToolResult | Promise<ToolResult> {
  let present: CachedDirectory | undefined;
  const read = rememberingLast();
  const source = { acquire: () => (present ? listed(present, read) : unreachable()) } as unknown as WorkspaceSource;
  const tools = makeToolset('explore', source, { exploreExcludes: [] });
  return (directory, call) => {
    const tool = tools.find(({ name }) => name === call.name && isTreeTool(name));
    if (!tool) throw new NotInTree('not_found', `No answer from a tree: ${call.name}`);
    // These two tools look at their workspace before they first wait, so calls do not see each other's.
    present = directory;
    try {
      return tool.run(call.input as never, {});
    } finally {
      present = undefined;
    }
  };
}

/**
 * Reads packed trees and keeps the last listing: a model lists one directory by several patterns, and unpacking ten
 * thousand entries is most of the work. One listing for all machines, so that memory stays what it is.
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
      if (canAsk && !isSure) throw new NotInTree('not_found', `Not in the tree at hand: ${path}`);
      if (found.kind === 'file') throw new WorkspaceError('not_directory', `Not a directory: ${path}`);
      if (found.kind === 'absent')
        throw new WorkspaceError('not_found', `Not in the connected directory's tree: ${path}`);
      return { entries: found.entries, truncated: found.more || !isComplete };
    },
  };
}

/** Components below the shared directory, of a path as a model wrote it. */
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

/** The path as clients of the seed's time take it: below the root; as written where that cannot be said. */
export function relativeToRoot(rootPath: string, path: string): string {
  try {
    return path.startsWith('~') ? path : partsBelow(rootPath, path).join('/') || '.';
  } catch {
    return path;
  }
}
