import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE, type GuardConfig, MISNAMED_FILE } from './find-config.ts';
import { GuardConfigError } from './guard-config-error.ts';
import { alsoTightened, type ConfiguredPolicy } from './policy-for.ts';

/** The current policy of one project. */
export interface ProjectPolicy {
  readonly policy: ConfiguredPolicy;
  /** Why the project's own file cannot be used. While it is set, the guard blocks every call. */
  readonly problem: string | undefined;
}

/** Policies by project. */
export interface ProjectPolicies {
  /** Returns the policy; the same object while the project's own file does not change. */
  for(root: string | undefined): ProjectPolicy;
}

const MAX_KEPT = 256;
/** A file may change twice within one tick of its timestamps, so a file this new may change unnoticed. */
const SETTLED_MS = 1_000;
/** Whether a new name changes the time of its directory. Some file systems of Windows do not record it. */
const NAMES_CHANGE_DIRECTORIES = process.platform !== 'win32';

/**
 * Keeps the policy of each project: the guard's policy, tightened by the project's own file. That file is checked for every
 * request and read again when its inode or times changed. The settings that the file of the guard's own project had at the
 * start apply to every project.
 *
 * @param onNotice called for each setting of a project's file that has no effect, once for each state of the file
 * @param turn number of the current turn of the event loop; the file is then checked once per turn
 */
export function createProjectPolicies(
  config: GuardConfig,
  onNotice: (notice: string) => void,
  turn?: () => number,
): ProjectPolicies {
  const unchanged: ProjectPolicy = { policy: config.policy, problem: undefined };
  const kept = new Map<string, { readonly state: ProjectState; readonly policy: ProjectPolicy; seenIn?: number }>();
  const told = new Set<string>();
  const read = (root: string): ProjectPolicy => {
    try {
      const { policy, notices } = config.forProject(root);
      for (const notice of notices) {
        if (told.has(notice) || told.size >= MAX_KEPT) continue;
        told.add(notice);
        onNotice(notice);
      }
      return { policy: alsoTightened(policy, config.policy), problem: undefined };
    } catch (error) {
      if (!(error instanceof GuardConfigError)) throw error;
      return { policy: config.policy, problem: error.message };
    }
  };
  return {
    for(root) {
      if (root === undefined || config.policy.remote) return unchanged;
      const known = kept.get(root);
      const now = turn?.();
      if (now !== undefined && known?.seenIn === now) return known.policy;
      if (known !== undefined && isStill(root, known.state)) {
        if (now !== undefined) known.seenIn = now;
        return known.policy;
      }
      const state = stateOf(root);
      const policy =
        known !== undefined && state !== undefined && isEqual(state, known.state) ? known.policy : read(root);
      kept.delete(root);
      for (const oldest of kept.keys()) {
        if (kept.size < MAX_KEPT) break;
        kept.delete(oldest);
      }
      // The state is older than the content, so a change in between is noticed the next time.
      if (state !== undefined) kept.set(root, { state, policy });
      return policy;
    },
  };
}

/** The identity and times of a file or directory. */
interface Look {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** The state that decides whether a project's file changed. */
interface ProjectState {
  /** Of the project's directory, whose time changes with every name in it. Undefined if that cannot be relied on. */
  readonly dir: Look | undefined;
  /** Undefined if the file does not exist. */
  readonly file: Look | undefined;
  readonly misnamed: Look | undefined;
}

/** Reads the state; undefined while a change could go unnoticed. */
function stateOf(root: string): ProjectState | undefined {
  // The directory first, so that a name that appears later gives another state.
  const dir = NAMES_CHANGE_DIRECTORIES ? lookAt(root) : undefined;
  const file = lookAt(join(root, CONFIG_FILE));
  const misnamed = lookAt(join(root, MISNAMED_FILE));
  if (file === 'unsettled' || misnamed === 'unsettled') return undefined;
  return { dir: dir === 'unsettled' ? undefined : dir, file, misnamed };
}

/** Whether the state is unchanged. Needs one stat if there was no file: without a change of the directory no name appeared. */
function isStill(root: string, { dir, file, misnamed }: ProjectState): boolean {
  if (dir === undefined || misnamed !== undefined || !isSame(lookAt(root), dir)) return false;
  return file === undefined || isSame(lookAt(join(root, CONFIG_FILE)), file);
}

/** Whether both states have the same files. Ignores other changes in the directory. */
function isEqual(one: ProjectState, other: ProjectState): boolean {
  return isSame(one.file, other.file) && isSame(one.misnamed, other.misnamed);
}

function lookAt(path: string): Look | undefined | 'unsettled' {
  try {
    const look = statSync(path, { throwIfNoEntry: false });
    // A dangling link: its target may appear at any time without a change here.
    if (look === undefined) return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : 'unsettled';
    return Date.now() - look.ctimeMs < SETTLED_MS ? 'unsettled' : look;
  } catch {
    return 'unsettled';
  }
}

function isSame(one: Look | undefined | 'unsettled', other: Look | undefined): boolean {
  if (one === undefined || other === undefined || one === 'unsettled') return one === other;
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.dev === other.dev
  );
}
