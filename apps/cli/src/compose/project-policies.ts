import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alsoTightened, type ConfiguredPolicy } from '@croft/guard/judging';
import { UsageError } from '../usage-error.ts';
import { CONFIG_FILE, type GuardConfig, MISNAMED_FILE } from './guard.ts';

/** The policy of one project as it stands now. */
export interface ProjectPolicy {
  readonly policy: ConfiguredPolicy;
  /** Why the project's own file cannot be used: until it can, nothing passes. */
  readonly problem: string | undefined;
}

/** Policies by project. */
export interface ProjectPolicies {
  /** The same object, as long as the project's own file is the same. */
  for(root: string | undefined): ProjectPolicy;
}

const MAX_KEPT = 256;
/** A file may change twice within one tick of the clock that marks it. */
const SETTLED_MS = 1_000;
/** Some file systems of Windows keep no time for that. */
const NAMES_CHANGE_DIRECTORIES = process.platform !== 'win32';

/**
 * The policy of each project that requests are for: what holds for the guard, and what the project's own file tightens.
 * That file is looked at for every request and read anew when it is another one. What the file of the guard's own
 * project said at the start stays in force, for every project.
 *
 * @param onNotice told what a project's file says and is not obeyed, once for each state of it
 * @param turn which turn of the event loop it is: the file is then looked at once in each, for all that is asked in it
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
      if (!(error instanceof UsageError)) throw error;
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
      // Looked at before it was read: a later change makes another state.
      if (state !== undefined) kept.set(root, { state, policy });
      return policy;
    },
  };
}

/** One file, or directory, as it was. */
interface Look {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** What says that a project's file is the same as before. */
interface ProjectState {
  /** Of the project's directory, which changes with every name in it. Undefined where that says nothing. */
  readonly dir: Look | undefined;
  /** Undefined: no such file. */
  readonly file: Look | undefined;
  readonly misnamed: Look | undefined;
}

/** Undefined while it cannot be told whether a file changes. */
function stateOf(root: string): ProjectState | undefined {
  // The directory first: a name that comes later makes another state.
  const dir = NAMES_CHANGE_DIRECTORIES ? lookAt(root) : undefined;
  const file = lookAt(join(root, CONFIG_FILE));
  const misnamed = lookAt(join(root, MISNAMED_FILE));
  if (file === 'unsettled' || misnamed === 'unsettled') return undefined;
  return { dir: dir === 'unsettled' ? undefined : dir, file, misnamed };
}

/** With one look where there was no file: while the directory stays, no name came. */
function isStill(root: string, { dir, file, misnamed }: ProjectState): boolean {
  if (dir === undefined || misnamed !== undefined || !isSame(lookAt(root), dir)) return false;
  return file === undefined || isSame(lookAt(join(root, CONFIG_FILE)), file);
}

/** Whether both files are the same, whatever else came and went beside them. */
function isEqual(one: ProjectState, other: ProjectState): boolean {
  return isSame(one.file, other.file) && isSame(one.misnamed, other.misnamed);
}

function lookAt(path: string): Look | undefined | 'unsettled' {
  try {
    const look = statSync(path, { throwIfNoEntry: false });
    // A link that leads nowhere may do so at any time, and nothing here would change.
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
