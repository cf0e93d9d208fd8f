import { opendir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { baseDirectoryOf } from './base-directory.ts';
import { denyListWith } from './deny-list.ts';
import { type Enclosure, openAmbientRoot, placeName } from './enclosure.ts';
import { WorkspaceError } from './errors.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { appendFile } from './operations/append-file.ts';
import { copyPath } from './operations/copy-path.ts';
import { createDir } from './operations/create-dir.ts';
import { deletePath, deletePaths } from './operations/delete-path.ts';
import { editFile } from './operations/edit-file.ts';
import { inBulk } from './operations/in-bulk.ts';
import { directoryDigest, fileInfo } from './operations/info.ts';
import { listDir } from './operations/list-dir.ts';
import { listPage } from './operations/list-page.ts';
import { movePath } from './operations/move-path.ts';
import { readText } from './operations/read-file.ts';
import { readKept } from './operations/read-kept.ts';
import { readBytes, readWhole } from './operations/read-whole.ts';
import { receiveFile } from './operations/receive-file.ts';
import { checkGlob, globFiles, grepFiles } from './operations/search.ts';
import { readTree } from './operations/tree.ts';
import { undoChange } from './operations/undo-change.ts';
import { writeFile } from './operations/write-file.ts';
import { countTree } from './count-tree.ts';
import { createPace } from './pace.ts';
import { createQuota, type QuotaLimits } from './quota.ts';
import { removeQuietly } from './remove-tree.ts';
import { statDir } from './resolve/dir.ts';
import { locateOrNothing, NothingThere } from './resolve/locate.ts';
import { openRegular } from './resolve/open-regular.ts';
import { openRoot, type ResolverKind } from './resolve/root.ts';
import { compileGlob } from './search/glob-pattern.ts';
import { openSubRoot } from './sub-root.ts';
import { isAbandoned } from './temp-name.ts';
import { openTrash, type TrashLimits } from './trash.ts';

/** How a workspace is opened. Everything has a safe default. */
export interface WorkspaceOptions {
  /** Refuse every mutation. */
  readonly readOnly?: boolean;
  /** A directory below `dir` that becomes the root; made when missing. It cannot leave `dir`. */
  readonly subPath?: string;
  /**
   * `false` lifts the boundary: absolute paths go anywhere the process may go. Deny-list, reserved names and `..`
   * rules stay. For hosts that enclose the whole process themselves.
   */
  readonly restrict?: boolean;
  /** Flush file and directory to the disk before a mutation returns. */
  readonly durable?: boolean;
  /**
   * `false` switches the credential deny-list off; names (`.env.*`) are added to it, of files and of directories. An
   * operator's decision, never a caller's.
   */
  readonly denyList?: boolean | readonly string[];
  readonly limits?: Partial<Limits>;
  /** Entry names left out of trees, lists and searches. */
  readonly ignoreNames?: readonly string[];
  readonly quota?: QuotaLimits;
  /** A directory outside the workspace that keeps overwritten and deleted content. */
  readonly trashDir?: string;
  readonly trashLimits?: TrashLimits;
  /** Croft's own base directory: hidden if it is inside, refused as or above a root. */
  readonly baseDir?: string;
  /** A weaker resolver than the best this machine has; for tests and `croft doctor`. */
  readonly resolver?: ResolverKind;
}

/** Whether a path, as another program would use it, is in the workspace. */
export type Location =
  | {
      readonly inside: true;
      readonly path: string;
      readonly exists: boolean;
      /** The file has other names, possibly outside: writing it in place changes those too. */
      readonly isHardLinked?: true;
    }
  | { readonly inside: false; readonly error: WorkspaceError };

/**
 * An enclosed directory. Its operations act only on what is inside, for every path and every concurrent change of the
 * tree: each path is resolved from a descriptor of the root that is held for the workspace's life, and check and use
 * are one step.
 *
 * Not covered: hard links to an outside file can be read (writing is refused); bind mounts and other file systems
 * mounted inside can be read, and no mutation crosses them; a directory that another program moves out while a call
 * holds it is still used by that call. On systems without `/proc` (macOS, Windows) a swap during a call is detected
 * afterwards, not prevented.
 *
 * All failures are {@link WorkspaceError}; its message never contains a host path.
 */
export type Workspace = ReturnType<typeof openWorkspace>;

/**
 * Opens `dir` as a workspace. Holds one descriptor until `close()`.
 *
 * @throws WorkspaceError `unavailable` if the directory is missing, `invalid` if it is Croft's own base directory or
 * inside it but outside `workspaces`, `outside` if `subPath` leaves it
 */
export function openWorkspace(dir: string, options: WorkspaceOptions = {}) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const denyList = typeof options.denyList === 'object' ? denyListWith(options.denyList) : (options.denyList ?? true);
  const root = options.subPath
    ? openSubRoot(dir, options.subPath, limits, {
        denyList,
        readOnly: options.readOnly ?? false,
        resolver: options.resolver,
      })
    : openRoot(dir, options.resolver);
  const base = options.baseDir === undefined ? undefined : baseDirectoryOf(options.baseDir, root.path);
  if (base !== undefined) requireOutsideBase(base.is(statDir(root.dir)) ? base.path : root.path, base.path, root.close);
  const closing = new AbortController();
  const enclosure: Enclosure = {
    root,
    ambient: options.restrict === false ? openAmbientRoot() : undefined,
    readOnly: options.readOnly ?? false,
    denyList,
    durable: options.durable ?? false,
    base,
    masks: base?.masks ?? [],
    ignoreNames: new Set(options.ignoreNames),
    limits,
    quota: options.quota && createQuota(options.quota, root),
    trash:
      options.trashDir === undefined
        ? undefined
        : openTrash(options.trashDir, options.trashLimits, root.dirKind, options.quota?.maxBytes),
    closing: closing.signal,
  };
  const swept = enclosure.readOnly ? Promise.resolve() : sweep(enclosure);
  type Tail<F> = F extends (enclosure: Enclosure, ...rest: infer R) => infer T ? (...rest: R) => T : never;
  const bind = <F extends (enclosure: Enclosure, ...rest: never[]) => unknown>(operation: F) =>
    operation.bind(undefined, enclosure) as Tail<F>;
  return {
    /** Real host path of the root. For operators and logs; never for a model. */
    get root(): string {
      return root.path;
    },
    resolver: root.kind,
    readOnly: enclosure.readOnly,
    restricted: !enclosure.ambient,
    limits,
    readText: bind(readText),
    readWhole: bind(readWhole),
    readBytes: bind(readBytes),
    readKept: bind(readKept),
    write: bind(writeFile),
    receive: bind(receiveFile),
    append: bind(appendFile),
    edit: bind(editFile),
    list: bind(listDir),
    listPage: bind(listPage),
    tree: bind(readTree),
    info: bind(fileInfo),
    digest: bind(directoryDigest),
    glob: bind(globFiles),
    grep: bind(grepFiles),
    createDir: bind(createDir),
    move: bind(movePath),
    copy: bind(copyPath),
    delete: bind(deletePath),
    deleteAll: bind(deletePaths),
    undo: bind(undoChange),
    open: bind(openRegular),
    /** A test of paths against a glob, as the searches read it; `{a,b}` are alternatives. Refuses what they refuse. */
    matcher: (pattern: string) => {
      checkGlob(pattern, limits);
      return compileGlob(pattern, { braces: true }).matches;
    },
    locate: (path: string) => locatePath(enclosure, path),
    /** The maximum size, in bytes, of old content that one change can keep for undo; `undefined` without a trash. */
    trashBytes: () => enclosure.trash?.maxBytes(),
    /** Another program or thread deleted files: the quota counts again before it refuses a write. */
    recount: () => enclosure.quota?.changed(),
    /** Counts, in slices, what the workspace holds now. */
    usage: (signal?: AbortSignal) =>
      inBulk(enclosure, signal, async (pace) => {
        const { bytes, files } = await countTree(root.dir.self, pace);
        return { bytes, files };
      }),
    /** Resolves when the temporary files of earlier processes and dropped items of the trash are removed. */
    settled: async () => {
      await swept;
      await enclosure.trash?.settled();
    },
    /** Cancels operations under way. */
    close(): void {
      closing.abort();
      root.close();
      enclosure.ambient?.close();
    },
  };
}

/** The location of a path, for code that acts elsewhere (a guard, a shell): judged, not opened. */
function locatePath(enclosure: Enclosure, path: string): Location {
  try {
    const found = locateOrNothing(enclosure, path);
    const inside = { inside: true as const, path: placeName(enclosure, found.path, found.parts) || '.' };
    // A missing parent is still inside: the resolver counted every component and none left the root.
    if (found instanceof NothingThere) return { ...inside, exists: false };
    const at = {
      ...inside,
      exists: found.stat !== undefined,
      ...(found.stat?.isFile() && found.stat.nlink > 1 ? { isHardLinked: true as const } : {}),
    };
    found.close();
    return at;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { inside: false, error };
  }
}

/** The base directory holds the pepper, tokens, logs and trash: only its `workspaces` may be handed out. */
function requireOutsideBase(root: string, base: string, close: () => void): void {
  const below = relative(base, root);
  const parts = below.split(sep);
  const inBase = below === '' || (parts[0] !== '..' && !isAbsolute(below));
  // `workspaces` and `workspaces/users` contain the files of all users.
  if (!inBase || (parts[0] === 'workspaces' && parts.length > (parts[1] === 'users' ? 2 : 1))) return;
  close();
  throw new WorkspaceError('invalid', "Croft's own base directory cannot be a workspace; use a directory outside it", {
    operatorMessage: `${root} is Croft's own base directory ${base} or inside it; use a directory outside it`,
  });
}

/** Removes, in slices, what killed processes left between writing and renaming. Does not reject. */
async function sweep(enclosure: Enclosure): Promise<void> {
  const release = enclosure.root.hold();
  const { dir } = enclosure.root;
  const pace = createPace([enclosure.closing]);
  try {
    // An asynchronous call now would start libuv's threads before the caller can restrict the process with Landlock.
    await nextTurn();
    for await (const { name } of await opendir(dir.self)) {
      const pause = pace.pause();
      if (pause) await pause;
      if (isAbandoned(name, dir.at(name))) await removeQuietly(dir.at(name), pace);
    }
  } catch {
    // Not listable, not writable or closed: the next start tries again.
  } finally {
    release();
  }
}
