import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Policy } from './policy.ts';
import type { PolicyChanges } from './policy-values.ts';
import { bothTightenings, tighten } from './project-policy.ts';

/** The changes a file makes for one project, model or agent. */
export interface PolicyOverride {
  readonly scope: 'project' | 'model' | 'agent';
  readonly fits: (name: string) => boolean;
  readonly changes: PolicyChanges;
}

/** A policy with its overrides for projects, models and agents; `policyFor` resolves them. */
export interface ConfiguredPolicy extends Policy {
  readonly overrides: readonly PolicyOverride[];
  /** The values that the project's file tightens; no override undoes them. */
  readonly tightening: PolicyChanges;
}

/** The project, model and agent of a call. For an unknown one, no override of that kind applies. */
export interface PolicySubject {
  /** The project root. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
}

/**
 * The policy for one project, model and agent. Overrides of the project apply first, then those of the model, then
 * those of the agent; if two match, the later one in the file wins. Extra roots add to those before; every other value
 * replaces. No override undoes flags, the environment, or what the project's file tightens.
 */
export function policyFor(policy: ConfiguredPolicy, subject: PolicySubject): Policy {
  const { overrides, tightening, ...plain } = policy;
  const merged = ['project', 'model', 'agent'].reduce<Policy>((before, scope) => {
    const name = subject[scope as keyof PolicySubject];
    if (name === undefined) return before;
    return overrides
      .filter((one) => one.scope === scope && one.fits(name))
      .reduce<Policy>(
        (merged, { changes }) => ({
          ...merged,
          ...changes,
          allowedRoots: [...new Set([...merged.allowedRoots, ...(changes.allowedRoots ?? [])])],
        }),
        before,
      );
  }, plain);
  return tighten(merged, tightening);
}

/** A policy with the tightening of another policy's project added. */
export function alsoTightened(policy: ConfiguredPolicy, by: ConfiguredPolicy): ConfiguredPolicy {
  return {
    ...tighten(policy, by.tightening),
    tightening: bothTightenings(by.tightening, policy.tightening),
    policyFiles: [...new Set([...policy.policyFiles, ...by.policyFiles])],
  };
}

/** Whether a project root is this directory or is inside it, by the written or the real name. */
export function liesIn(dir: string): (root: string) => boolean {
  const names = [dir, realName(dir)];
  return (root) =>
    [root, realName(root)].some((path) =>
      names.some((name) => path === name || path.startsWith(name.endsWith(sep) ? name : name + sep)),
    );
}

function realName(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
