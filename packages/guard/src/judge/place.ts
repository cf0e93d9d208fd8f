import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { NO_DISK, openRemotePlace } from './place-remote.ts';
import type { Policy } from '../policy/policy.ts';
import { makePrivateTemporary } from '../policy/private-temporary.ts';
import { parentRoots } from '../policy/project-root.ts';
import { type NewTemporaries, newTemporaries } from './new-temporaries.ts';
import type { Place, Spot } from './spot.ts';
import { type HeldRoot, locateIn, realPathOf } from './locate-spot.ts';

/**
 * Opens the directories a call may write in. They stay open until `close()`. Without a root, no path is inside.
 *
 * Not covered: changes between the judgement and the agent's own access. Paths on another host (`policy.remote`) are
 * judged as text.
 *
 * @throws WorkspaceError `unavailable` if a root is missing
 */
export function openPlace(policy: Policy, root: string | undefined): Place {
  if (root === undefined) return nowhere();
  const further = [...policy.allowedRoots, ...(policy.allowParentAccess && !policy.remote ? parentRoots(root) : [])];
  if (policy.remote) return openRemotePlace(root, further);
  const { privateTemporary } = policy;
  if (privateTemporary !== undefined && makePrivateTemporary(privateTemporary)) further.push(privateTemporary);
  const open: Workspace[] = [];
  try {
    for (const dir of [root, ...further]) {
      if (dir === root) open.push(openWorkspace(dir, { readOnly: true, denyList: false }));
      // A further root that is missing or not a directory allows nothing.
      else if (isDirectoryNow(dir)) open.push(openWorkspace(dir, { readOnly: true, denyList: false }));
    }
  } catch (error) {
    for (const workspace of open) workspace.close();
    throw error;
  }
  return localPlace(root, open, policy.policyFiles, policy.strict ? undefined : newTemporaries(open));
}

function isDirectoryNow(dir: string): boolean {
  try {
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
}

/** Without following a link. */
function kindNow(path: string): 'directory' | 'other' | 'nothing' {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? 'nothing' : stat.isDirectory() ? 'directory' : 'other';
  } catch {
    return 'nothing';
  }
}

function nowhere(): Place {
  return {
    root: undefined,
    roots: [],
    policyFiles: [],
    home: undefined,
    isWindows: false,
    ...NO_DISK,
    locate: () => ({ kind: 'outside' }),
  };
}

function localPlace(
  root: string,
  workspaces: readonly Workspace[],
  files: readonly string[],
  temporaries: NewTemporaries | undefined,
): Place {
  const [project] = workspaces as [Workspace];
  const held = workspaces.map((workspace, i): HeldRoot => {
    const names = [workspace.root, ...(i === 0 ? [resolve(root)] : [])];
    return { workspace, names: [...new Set(names)], isProject: i === 0 };
  });
  const roots = [...new Set([root, ...held.flatMap(({ names }) => names)])];
  const below = (path: string): string => (isAbsolute(path) ? path : `${project.root}/${path}`);
  const own = policyFilesIn(workspaces, files);
  const locate = (path: string): Spot => {
    const spot = locateIn(held, path);
    if (spot.kind !== 'outside' || temporaries === undefined) return spot;
    const real = realPathOf(below(path));
    return (real === undefined ? undefined : temporaries(real)) ?? spot;
  };
  return {
    root,
    roots,
    policyFiles: own.map(({ path }) => path),
    home: homedir(),
    isWindows: process.platform === 'win32',
    temporary: tmpdir(),
    locate: own.length === 0 ? locate : (path) => withPolicyFile(locate(path), project, own),
    hasTop: (name) => statSync(`/${name}`, { throwIfNoEntry: false }) !== undefined,
    isDirectory: (path) => isDirectoryNow(below(path)),
    isFile: (path) => kindNow(below(path)) === 'other' && !isDirectoryNow(below(path)),
    realPath: (path) => {
      try {
        const real = realpathSync.native(below(path));
        const from = relative(realpathSync.native(project.root), real);
        return from === '..' || from.startsWith('../') ? real : from;
      } catch {
        return undefined;
      }
    },
    linksIn: (dir) => {
      try {
        const entries = readdirSync(below(dir), { withFileTypes: true });
        return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
      } catch {
        return [];
      }
    },
    kindOf: (path) => kindNow(below(path)),
    namesIn: (dir) => {
      try {
        return readdirSync(below(dir));
      } catch (error) {
        const { code } = error as { code?: string };
        return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
      }
    },
    close: () => {
      for (const workspace of workspaces) workspace.close();
    },
  };
}

interface PolicyFile {
  /** Relative to the root that contains it. */
  readonly path: string;
  readonly file: string;
}

/** The policy's files inside a root, by the configured name and by the real name. */
function policyFilesIn(workspaces: readonly Workspace[], files: readonly string[]): readonly PolicyFile[] {
  const names = [...new Set(files.flatMap((file) => namesOf(file)))];
  return names.flatMap((file) =>
    workspaces
      .filter(({ root }) => file.startsWith(root === '/' ? root : `${root}/`))
      .map(({ root }) => ({ path: file.slice(root === '/' ? 1 : root.length + 1), file })),
  );
}

/** The path of a file with its directory resolved, and its real path. A link further up is not a separate name. */
function namesOf(file: string): readonly string[] {
  try {
    return [join(realpathSync.native(dirname(file)), basename(file)), realpathSync.native(file)];
  } catch {
    return [file];
  }
}

/** Marks a path as a policy file if it is another name of the same file (a mount, different case). */
function withPolicyFile(spot: Spot, project: Workspace, own: readonly PolicyFile[]): Spot {
  if (spot.kind !== 'inside' || spot.isRoot) return spot;
  const stat = statOf(join(spot.further ?? project.root, spot.path));
  const isOne = own.some(({ file }) => {
    const other = stat && statOf(file);
    return other !== undefined && other.ino === stat?.ino && other.dev === stat.dev;
  });
  return isOne ? { ...spot, isPolicyFile: true } : spot;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
