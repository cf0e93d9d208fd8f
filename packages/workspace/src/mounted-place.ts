import { WorkspaceError } from './errors.ts';
import type { FileInfo } from './operations/info.ts';
import type { Workspace } from './workspace.ts';

/** A workspace and its name, which is the first component of every path in it. */
export interface Mount {
  readonly name: string;
  readonly workspace: Workspace;
}

/** Where a path from the top leads: a mount, and a path below it. The name is empty for the workspace at the top. */
export interface Place extends Mount {
  readonly rest: string;
}

/** Runs an operation in one workspace; its messages name the path as the caller wrote it. */
export function named<T>(
  path: string,
  { name, workspace, rest }: Place,
  act: (workspace: Workspace, rest: string) => T,
): T {
  return renamed(name, [[rest, path]], () => act(workspace, rest));
}

/** Runs an operation in the workspace of that name; its messages name the paths as the caller wrote them. */
function renamed<T>(name: string, paths: readonly (readonly [below: string, written: string])[], act: () => T): T {
  const rename = (error: unknown): never => {
    if (!(error instanceof WorkspaceError)) throw error;
    const { code, message, extra, operatorMessage } = error;
    if (code === 'read_only' && name !== '')
      throw new WorkspaceError(code, `${name}/ is read-only`, { extra: { ...extra }, operatorMessage, cause: error });
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

/** The operations that act on the one workspace a path leads into. */
export type PathOperations = Pick<
  Workspace,
  | 'readText'
  | 'readWhole'
  | 'readBytes'
  | 'write'
  | 'receive'
  | 'append'
  | 'edit'
  | 'info'
  | 'createDir'
  | 'move'
  | 'copy'
  | 'delete'
  | 'deleteAll'
  | 'digest'
  | 'open'
  | 'locate'
  | 'undo'
  | 'readKept'
>;

/**
 * Hands each operation to the workspace its path leads into. A move or copy stays within one workspace. Changes are
 * reported with paths below their own workspace, so they are undone there.
 *
 * @param inside where a path leads; throws WorkspaceError for a path that names no place in a workspace
 * @param forChange the same for a path that is about to be changed; `keep` for a change of a link itself
 */
export function pathOperations(
  inside: (path: string) => Place,
  forChange: (path: string, leaf: 'follow' | 'keep') => Place = inside,
): PathOperations {
  const pair = (from: Place, to: Place, source: string, destination: string) => {
    if (from.workspace !== to.workspace)
      throw new WorkspaceError(
        'invalid',
        `Cannot move or copy between ${from.name || 'the files around it'} and ${to.name || 'the files around it'}; read and write instead`,
      );
    const paths = [
      [from.rest, source],
      [to.rest, destination],
    ] as const;
    return { name: from.name, workspace: from.workspace, from: from.rest, to: to.rest, paths };
  };
  return {
    readText: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readText(rest, options)),
    readWhole: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readWhole(rest, options)),
    readBytes: (path, options) => named(path, inside(path), (workspace, rest) => workspace.readBytes(rest, options)),
    write: (path, content, options) =>
      named(path, forChange(path, 'follow'), (workspace, rest) => workspace.write(rest, content, options)),
    receive: (path, source, options) =>
      named(path, forChange(path, 'follow'), (workspace, rest) => workspace.receive(rest, source, options)),
    append: (path, content, options) =>
      named(path, forChange(path, 'follow'), (workspace, rest) => workspace.append(rest, content, options)),
    edit: (path, edits, options) =>
      named(path, forChange(path, 'follow'), (workspace, rest) => workspace.edit(rest, edits, options)),
    info: (path, options) => {
      const found = inside(path);
      return named(path, found, (workspace, rest) => below(found.name, workspace.info(rest, options)));
    },
    createDir: (path, options) =>
      named(path, forChange(path, 'follow'), (workspace, rest) => workspace.createDir(rest, options)),
    move: (source, destination, options) => {
      const { name, workspace, from, to, paths } = pair(
        forChange(source, 'keep'),
        forChange(destination, 'keep'),
        source,
        destination,
      );
      return renamed(name, paths, () => workspace.move(from, to, options));
    },
    copy: (source, destination, options) => {
      const { name, workspace, from, to, paths } = pair(
        inside(source),
        forChange(destination, 'keep'),
        source,
        destination,
      );
      return renamed(name, paths, () => workspace.copy(from, to, options));
    },
    delete: (path, options) =>
      named(path, forChange(path, 'keep'), (workspace, rest) => workspace.delete(rest, options)),
    deleteAll: (paths, options) => {
      const places = paths.map((path) => forChange(path, 'keep'));
      const [first] = places;
      if (!first) return Promise.resolve([]);
      if (places.some(({ workspace }) => workspace !== first.workspace))
        throw new WorkspaceError('invalid', 'Cannot delete in several workspaces at once');
      const names = places.map(({ rest }, i) => [rest, paths[i] as string] as const);
      return renamed(first.name, names, () =>
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
        return at.inside ? { ...at, path: pathBelow(name, at.path) } : at;
      } catch (error) {
        if (error instanceof WorkspaceError) return { inside: false, error };
        throw error;
      }
    },
    undo: () => {
      throw new WorkspaceError('invalid', 'Undo in the workspace the change was made in');
    },
    readKept: () => {
      throw new WorkspaceError('invalid', 'Read it in the workspace the change was made in');
    },
  };
}

/** Where a link leads, as a path from the top. */
function below(name: string, info: FileInfo): FileInfo {
  return info.realPath === undefined ? info : { ...info, realPath: pathBelow(name, info.realPath) };
}

function pathBelow(name: string, path: string): string {
  if (name === '') return path;
  return path === '.' ? name : `${name}/${path}`;
}
