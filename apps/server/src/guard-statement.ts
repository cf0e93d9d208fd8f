import type { GuardConfig, LoadedPolicy, Policy } from '@croft/guard';

/** Describes to the operator at start how the guard inside a server is set up. */
export interface GuardStatement {
  readonly root: string;
  readonly mode: 'enforce' | 'dry-run' | 'off';
  readonly strict: boolean;
  /** Files the policy was read from; empty when only the environment and the defaults hold. */
  readonly policyFiles: readonly string[];
  /** One sentence each: the guard is off, lets calls pass, or ignores a setting. */
  readonly warnings: readonly string[];
}

/** Describes a guard: its project, its policy after the project's overrides, and settings that it ignores. */
export function describeGuard(root: string, config: GuardConfig, policy: Policy): GuardStatement {
  const warnings: string[] = [];
  if (!policy.enabled) warnings.push(`The guard is off (${offBy(config)}): every call passes.`);
  else if (policy.mode === 'dry-run')
    warnings.push('The guard is in dry-run mode: every call passes, blocked calls are only recorded.');
  warnings.push(...config.notices);
  const { strict, policyFiles } = policy;
  return { root, mode: policy.enabled ? policy.mode : 'off', strict, policyFiles, warnings };
}

function offBy({ policy, sources: { enabled } }: LoadedPolicy): string {
  if (policy.enabled) return 'the configuration of this project, model or agent';
  if (enabled.kind === 'file') return `${enabled.path}:${enabled.line}`;
  return 'name' in enabled ? enabled.name : 'the configuration';
}

/** The statement as lines of the text that `croft serve` prints at start. */
export function guardLines({ root, mode, strict, policyFiles, warnings }: GuardStatement): readonly string[] {
  const files = policyFiles.length === 0 ? 'no file, the defaults and the environment' : policyFiles.join(', ');
  return [
    root,
    `${mode}${mode === 'off' ? '' : strict ? ', strict' : ', default'} (policy: ${files})`,
    ...warnings.map((warning) => `WARNING: ${warning}`),
  ];
}
