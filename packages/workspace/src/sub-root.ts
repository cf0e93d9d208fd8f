import { join } from 'node:path';
import type { DenyList } from './deny-list.ts';
import { type Enclosure, escapes } from './enclosure.ts';
import { WorkspaceError } from './errors.ts';
import type { Limits } from './limits.ts';
import { createDir } from './operations/create-dir.ts';
import type { Dir } from './resolve/dir.ts';
import { openDirectory } from './resolve/open-directory.ts';
import { openRoot, type ResolverKind, type Root } from './resolve/root.ts';

/** The rules of the workspace that a sub-root is opened for. */
interface SubRootRules {
  readonly denyList: DenyList;
  readonly readOnly: boolean;
  readonly resolver: ResolverKind | undefined;
}

/**
 * Opens a directory below `dir` as a root of its own, and creates it if it is missing, unless it is read-only. The resolver
 * opens it and the descriptor stays open: a path that was checked first and opened later could have become a link to
 * outside. A protected directory is refused: relative to it, its files have names that no rule protects.
 *
 * @throws WorkspaceError `outside` when the sub-path leaves `dir`, `denied` when the deny-list protects it, and those of
 * `createDir`
 */
export function openSubRoot(
  dir: string,
  subPath: string,
  limits: Limits,
  { denyList, readOnly, resolver }: SubRootRules,
): Root {
  const pinned = subPath.replace(/^[\s/\\]+|\s+$/g, '');
  const outer = openRoot(dir, resolver);
  if (pinned === '') return outer;
  const enclosure: Enclosure = {
    root: outer,
    ambient: undefined,
    readOnly,
    denyList,
    durable: false,
    base: undefined,
    masks: [],
    ignoreNames: new Set(),
    limits,
    quota: undefined,
    trash: undefined,
    closing: new AbortController().signal,
  };
  try {
    const root = openRoot(join(outer.given, pinned), resolver, () => openBelow(enclosure, pinned, subPath));
    return {
      ...root,
      // Getters, which a spread would read once: the directory may be made again.
      get path() {
        return root.path;
      },
      get names() {
        return root.names;
      },
      get dir() {
        return root.dir;
      },
      close() {
        root.close();
        outer.close();
      },
    };
  } catch (error) {
    outer.close();
    throw error;
  }
}

function openBelow(enclosure: Enclosure, pinned: string, subPath: string): Dir {
  try {
    return openOrMake(enclosure, pinned);
  } catch (error) {
    if (error instanceof WorkspaceError && (error.code === 'outside' || error.code === 'link_outside'))
      throw escapes(subPath);
    throw error;
  }
}

/** An existing directory may be a mount; a new one is on the mount of `dir`. */
function openOrMake(enclosure: Enclosure, pinned: string): Dir {
  try {
    return openDirectory(enclosure, pinned).dir;
  } catch (error) {
    if (enclosure.readOnly || !(error instanceof WorkspaceError && error.code === 'not_found')) throw error;
    createDir(enclosure, pinned);
    return openDirectory(enclosure, pinned).dir;
  }
}
