import { isHiddenByMount, mountAt, mountInto, type Workspace, WorkspaceError } from '@croft/workspace';
import type { Log } from '../log.ts';
import type { Namespace, Namespaces, RootName } from './namespaces.ts';
import type { SharedMount } from './shared-mount.ts';

/** The one tree of a caller: pages, REST and MCP show the same. */
export interface CallerFiles {
  readonly workspace: Workspace;
  /** The namespace at the top of the tree. */
  readonly top: Namespace;
  readonly mounts: readonly FilesMount[];
  /** The namespace a path leads into: its log, trash and quota count. */
  namespaceOf(path: string): Namespace;
}

/** A namespace shown as a folder in the tree. */
export interface FilesMount {
  readonly name: RootName;
  readonly namespace: Namespace;
  readonly readOnly: boolean;
  /** A real entry of this name is hidden by the mount. */
  readonly hidesEntry: boolean;
}

export interface CallerFilesOptions {
  readonly autoLogin: boolean;
  readonly namespaces: Namespaces;
  readonly sharedMount: SharedMount;
  readonly log: Log;
}

/** State of a caller's files for an operator. Contains host paths: for admins, never for a model. */
export interface FilesReport {
  readonly auto_login: boolean;
  readonly mode: 'shared' | 'isolated';
  readonly effective_root: string | null;
  readonly resolution_error: string | null;
}

/** Opens the trees of callers. */
export interface FilesOfCallers {
  /** Resolves and makes what the tree needs. Call it for every request. @throws WorkspaceError `unavailable`, logged */
  open(userId: string): CallerFiles;
  /** Opens the tree as a call of this user does. Never throws. */
  describe(userId: string): FilesReport;
}

/**
 * Without accounts the shared files are the top of the tree, and the user's own are mounted as `mine/` once they exist.
 * With accounts the user's own files are the top, and an admin may mount the shared ones as `shared/`.
 */
export function createCallerFiles({ autoLogin, namespaces, sharedMount, log }: CallerFilesOptions): FilesOfCallers {
  const hiding = new Set<string>();
  const mountsOf = (userId: string, top: Namespace): FilesMount[] => {
    const mode = sharedMount.mode();
    const namespace = autoLogin ? namespaces.existingMineOf(userId) : mode === 'off' ? undefined : namespaces.shared();
    if (namespace === undefined) return [];
    const name = namespace.root;
    const hidesEntry = isHiddenByMount(top.workspace, name);
    const { root } = top.workspace;
    if (!hidesEntry) hiding.delete(root);
    else if (!hiding.has(root)) {
      hiding.add(root);
      log.warn({ root, name }, 'a mount hides an entry of the same name; rename the entry to see it');
    }
    return [{ name, namespace, readOnly: !autoLogin && mode === 'read', hidesEntry }];
  };
  /** Made once while nothing changes: it costs as much as the rest of an opening. */
  const trees = new WeakMap<Workspace, { mounted: Workspace; tree: Workspace }>();
  const treeOf = (top: Workspace, [mount]: readonly FilesMount[]): Workspace => {
    if (mount === undefined) return top;
    const mounted = mount.readOnly ? mount.namespace.readOnly : mount.namespace.workspace;
    const known = trees.get(top);
    if (known?.mounted === mounted) return known.tree;
    const tree = mountInto(top, [{ name: mount.name, workspace: mounted }]);
    trees.set(top, { mounted, tree });
    return tree;
  };
  const open = (userId: string): CallerFiles => {
    const top = autoLogin ? namespaces.shared() : namespaces.mineOf(userId);
    const mounts = mountsOf(userId, top);
    const workspace = treeOf(top.workspace, mounts);
    const namespaceOf = (path: string): Namespace => {
      if (mounts.length === 0) return top;
      const places = mounts.map(({ name, namespace }) => ({ name, workspace: namespace.workspace }));
      const found = mountAt(top.workspace, places, path);
      return mounts.find(({ name }) => name === found)?.namespace ?? top;
    };
    return { workspace, top, mounts, namespaceOf };
  };
  return {
    open(userId) {
      try {
        return open(userId);
      } catch (error) {
        if (error instanceof WorkspaceError) log.error({ userId, reason: error.operatorMessage }, 'files unavailable');
        throw error;
      }
    },
    describe(userId) {
      const known = { auto_login: autoLogin, mode: autoLogin ? ('shared' as const) : ('isolated' as const) };
      try {
        const { workspace, top } = open(userId);
        workspace.list('.', { limit: 1 });
        return { ...known, effective_root: top.workspace.root, resolution_error: null };
      } catch (error) {
        const text = error instanceof WorkspaceError ? error.operatorMessage : String(error);
        return { ...known, effective_root: null, resolution_error: text };
      }
    },
  };
}
