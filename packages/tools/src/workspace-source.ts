import {
  namespaceMode,
  openWorkspace,
  presentUser,
  resolveNamespace,
  type Workspace,
  WorkspaceError,
  type WorkspaceOptions,
} from '@croft/workspace';
import { join } from 'node:path';
import { ToolError } from './tool.ts';

/** Gives a tool its workspace, once per call. */
export interface WorkspaceSource {
  /** @throws WorkspaceError, ToolError `user_mismatch` */
  acquire(): Workspace;
  /** Whether every workspace has a trash. Without it, tools say that deletions are final. */
  readonly hasTrash?: boolean;
}

/** One workspace for every call. */
export function fixedWorkspace(workspace: Workspace): WorkspaceSource {
  return { acquire: () => workspace, hasTrash: workspace.trashBytes() !== undefined };
}

/** The user whose namespace the tools use. `userId` is called for every call. */
export interface Identity {
  readonly userId: () => string | null | undefined;
  /**
   * Gives every user a namespace. Without it the environment decides: all users share one directory unless it has
   * `CROFT_AUTO_LOGIN=false`.
   */
  readonly forceIsolation?: boolean;
  readonly subPath?: string | null;
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: WorkspaceOptions;
}

/** A namespace described for an operator. Has host paths, so it is never sent to a model. */
export interface NamespaceMetadata {
  readonly root_path: string;
  readonly read_only: boolean;
  readonly tools_registered: readonly string[];
  readonly auto_login: boolean;
  readonly mode: 'shared' | 'isolated' | 'refused';
  readonly effective_root: string | null;
  readonly resolution_error: string | null;
}

const MISMATCH = 'tool/user-id mismatch: this tool was bound to a different user session and cannot be reused';
const MAX_OPEN = 256;
const CLOSE_AFTER_MS = 60_000;

/**
 * Binds tools to the namespace of the user at the time of this call. Every tool call reads the current user once and uses that
 * value to its end, so a change in between cannot redirect it. A call of another user is refused, except in shared mode, which
 * ignores the user. Every call reads the environment.
 */
export function boundWorkspace(identity: Identity): WorkspaceSource {
  const bound = presentUser(identity.userId());
  const opened = new Map<string, Workspace>();
  return {
    hasTrash: identity.options?.trashDir !== undefined,
    acquire() {
      const live = presentUser(identity.userId());
      const request = {
        userId: live,
        forceIsolation: identity.forceIsolation ?? false,
        ...(identity.env && { env: identity.env }),
      };
      if (namespaceMode(request) !== 'shared' && live !== bound) throw new ToolError('user_mismatch', MISMATCH);
      return openNamespace(request, identity, opened);
    },
  };
}

function openNamespace(
  request: Parameters<typeof resolveNamespace>[0],
  identity: Identity,
  opened: Map<string, Workspace>,
): Workspace {
  const { root, mode, config } = resolveNamespace(request);
  const subPath = (identity.subPath ?? '').trim().replace(/^[/\\]+/, '');
  const key = join(root, subPath);
  const known = opened.get(key);
  opened.delete(key);
  const workspace = known ?? openSub(root, subPath, mode, identity, config.configured);
  opened.set(key, workspace);
  if (opened.size > MAX_OPEN) {
    const [oldest, stale] = opened.entries().next().value as [string, Workspace];
    opened.delete(oldest);
    // A running call may still use it.
    setTimeout(() => stale.close(), CLOSE_AFTER_MS).unref();
  }
  return workspace;
}

function openSub(
  root: string,
  subPath: string,
  mode: 'shared' | 'isolated',
  identity: Identity,
  baseDir: string,
): Workspace {
  try {
    return openWorkspace(root, { ...identity.options, baseDir, ...(subPath !== '' && { subPath }) });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === 'outside' || error.code === 'link_outside') {
      const where = mode === 'shared' ? 'shared workspace' : 'user namespace';
      throw new WorkspaceError('outside', `sub_path '${identity.subPath}' escapes ${where}`);
    }
    if (error.code === 'io') {
      throw new WorkspaceError('unavailable', `Cannot create sub-path: ${error.message}`, {
        operatorMessage: `Cannot create sub-path ${join(root, subPath)}: ${error.operatorMessage}`,
      });
    }
    throw error;
  }
}

/** Describes a namespace for an operator. Creates the namespace like a call. Never throws. */
export function describeNamespace(identity: Identity, toolNames: readonly string[]): NamespaceMetadata {
  const request = {
    userId: identity.userId(),
    forceIsolation: identity.forceIsolation ?? false,
    ...(identity.env && { env: identity.env }),
  };
  const known = {
    root_path: identity.subPath ?? '',
    read_only: identity.options?.readOnly ?? false,
    tools_registered: toolNames,
    auto_login: namespaceMode({ ...request, forceIsolation: false, userId: undefined }) === 'shared',
    mode: namespaceMode(request),
  };
  try {
    const workspace = boundWorkspace(identity).acquire();
    const effective_root = workspace.root;
    workspace.close();
    return { ...known, effective_root, resolution_error: null };
  } catch (error) {
    const text =
      error instanceof WorkspaceError
        ? error.operatorMessage
        : error instanceof Error
          ? error.message || error.name
          : String(error);
    return { ...known, effective_root: null, resolution_error: text };
  }
}
