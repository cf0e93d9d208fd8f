import { statSync } from 'node:fs';
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

/**
 * The policy of each project that requests are for: what holds for the guard, and what the project's own file tightens.
 * That file is looked at for every request and read anew when it is another one. What the file of the guard's own
 * project said at the start stays in force, for every project.
 *
 * @param onNotice told what a project's file says and is not obeyed, once for each state of it
 */
export function createProjectPolicies(config: GuardConfig, onNotice: (notice: string) => void): ProjectPolicies {
  const unchanged: ProjectPolicy = { policy: config.policy, problem: undefined };
  const kept = new Map<string, { readonly state: string; readonly policy: ProjectPolicy }>();
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
      const state = stateOf(root);
      const known = kept.get(root);
      if (known !== undefined && known.state === state) return known.policy;
      const policy = read(root);
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

/** What says that a project's file is the same as before. Undefined while that cannot be told. */
function stateOf(root: string): string | undefined {
  const states = [CONFIG_FILE, MISNAMED_FILE].map((name) => {
    try {
      const stat = statSync(join(root, name), { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return 'none';
      if (Date.now() - Number(stat.ctimeMs) < SETTLED_MS) return undefined;
      return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
    } catch {
      return undefined;
    }
  });
  return states.includes(undefined) ? undefined : states.join(' ');
}
