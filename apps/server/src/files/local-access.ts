import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type AnyTool, fixedWorkspace, makeToolset } from '@croft/tools';
import { makeDirs, openWorkspace, type Workspace, WorkspaceError } from '@croft/workspace';
import { ConfigError } from '../config/load-config.ts';
import type { Settings } from '../config/settings.ts';
import { Problem } from '../problem.ts';
import { LOCAL_USER_ID } from '../local-user.ts';

/** Whether agents of the local user may read files of the server's own machine. */
export interface LocalAccessState {
  /** `setup`: off until a person picks a directory. */
  readonly state: 'off' | 'setup' | 'on';
  readonly directory: string | null;
  readonly canChange: boolean;
}

/** Reading files of the server's own machine, for its one local user. */
export interface LocalAccess {
  state(): LocalAccessState;
  /** Sets the directory that a person picked; `null` revokes access. @throws Problem */
  choose(directory: string | null): LocalAccessState;
  /** Read-only tools over the directory. Empty if access is off or the caller is not the local user. */
  toolsFor(userId: string): readonly AnyTool[];
  close(): void;
}

/**
 * Direct access is for a user's own machine, so it is off where several people have accounts. `CROFT_FILESYSTEM_PATH`
 * fixes the directory. Without it, access is off in a container, whose disk holds no files of the user, and elsewhere
 * until a person picks a directory, which may be the whole disk. Access is read-only, and protected names stay
 * protected.
 */
export function createLocalAccess(
  settings: Pick<Settings, 'baseDir' | 'autoLogin' | 'filesystemPath'>,
  inContainer: boolean = isContainer(),
): LocalAccess {
  const { baseDir, filesystemPath } = settings;
  const file = join(baseDir, 'local-access.json');
  const isFixed = filesystemPath !== undefined;
  const canChange = settings.autoLogin && !isFixed && !inContainer;
  let chosen = settings.autoLogin ? (filesystemPath ?? (canChange ? readChoice(file) : undefined)) : undefined;
  let opened: { workspace: Workspace; tools: readonly AnyTool[] } | undefined;
  const state = (): LocalAccessState => ({
    state: chosen !== undefined ? 'on' : canChange ? 'setup' : 'off',
    directory: chosen ?? null,
    canChange,
  });
  const shut = () => {
    opened?.workspace.close();
    opened = undefined;
  };
  return {
    state,
    choose(directory) {
      if (!canChange)
        throw new Problem(
          409,
          'cannot_change',
          isFixed
            ? 'The directory is fixed by CROFT_FILESYSTEM_PATH.'
            : 'This server cannot read files of its own machine. Connect a folder with croft connect instead.',
        );
      if (directory !== null) refuseUnusable(directory, baseDir);
      makeDirs(baseDir);
      writeFileSync(file, `${JSON.stringify({ directory })}\n`, { mode: 0o600 });
      chosen = directory ?? undefined;
      shut();
      return state();
    },
    toolsFor(userId) {
      if (userId !== LOCAL_USER_ID || chosen === undefined) return [];
      if (opened === undefined) {
        let workspace: Workspace;
        try {
          workspace = openWorkspace(chosen, { baseDir, readOnly: true });
        } catch (error) {
          // The directory has changed since it was picked. Do not offer tools that cannot work.
          if (error instanceof WorkspaceError) return [];
          throw error;
        }
        opened = { workspace, tools: makeToolset('explore', fixedWorkspace(workspace), { readOnly: true }) };
      }
      return opened.tools;
    },
    close: shut,
  };
}

/**
 * Checks the directory that `CROFT_FILESYSTEM_PATH` fixes, before the server listens.
 *
 * @throws ConfigError with a sentence that names the setting
 */
export function refuseFilesystemPath(settings: Pick<Settings, 'baseDir' | 'autoLogin' | 'filesystemPath'>): void {
  const { filesystemPath, autoLogin, baseDir } = settings;
  if (filesystemPath === undefined) return;
  if (!autoLogin)
    throw new ConfigError(
      'CROFT_FILESYSTEM_PATH needs CROFT_AUTO_LOGIN=true: with accounts, agents read no files of this machine',
    );
  try {
    refuseUnusable(resolve(filesystemPath), baseDir);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new ConfigError(`CROFT_FILESYSTEM_PATH cannot be used: ${filesystemPath}: ${error.message}`);
  }
}

/** The marks of a container: Docker's file, Kubernetes' variable, that of systemd-nspawn and podman. */
export function isContainer(
  env: NodeJS.ProcessEnv = process.env,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return exists('/.dockerenv') || Boolean(env.KUBERNETES_SERVICE_HOST) || Boolean(env.container);
}

function refuseUnusable(directory: string, baseDir: string): void {
  const bad = (message: string) => new Problem(400, 'invalid', message);
  if (!isAbsolute(directory)) throw bad('Give the whole path of a directory, such as /home/me/project.');
  try {
    if (!statSync(directory).isDirectory()) throw bad('This is not a directory.');
    openWorkspace(directory, { baseDir, readOnly: true }).close();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof WorkspaceError) throw bad(error.message);
    throw bad('There is no such directory, or it cannot be read.');
  }
}

function readChoice(file: string): string | undefined {
  try {
    const { directory } = JSON.parse(readFileSync(file, 'utf8')) as { directory?: unknown };
    return typeof directory === 'string' ? directory : undefined;
  } catch {
    // Never picked, or not readable any more: then a person picks again.
    return undefined;
  }
}
