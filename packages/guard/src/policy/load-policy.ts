import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { DEFAULT_PATH_PARAMETERS, DEFAULT_PROTECT, DEFAULT_TOOL_PATTERNS } from './default-patterns.ts';
import { GuardConfigError } from './guard-config-error.ts';
import type { Policy } from './policy.ts';
import { bothTightenings, type Loosening, readTightening, tighten, tighteningKeys } from './project-policy.ts';
import { readPolicyFile, type SettingsEntry, SettingsMap } from './policy-file.ts';
import {
  POLICY_FIELDS,
  type PolicyChanges,
  type PolicyKey,
  type ReadValues,
  readOverrides,
  readValues,
  unknownKey,
} from './policy-values.ts';

/** Values that flags gave. */
export interface PolicyFlags {
  /** `--enable-sandboxing[=false]` */
  readonly enableSandboxing?: boolean;
  /** `--strict` */
  readonly strict?: boolean;
  /** `--allow-parent-access` */
  readonly allowParentAccess?: boolean;
  /** `--dry-run` */
  readonly dryRun?: boolean;
  /** `--remote` */
  readonly remote?: boolean;
}

/** A configuration file: its path (absolute; relative paths in it are taken from its directory) and its text. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
}

/** What a policy is made from: flags over environment over the person's file over defaults; the project's tightens. */
export interface PolicyInput {
  readonly flags?: PolicyFlags;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The person's own file, which may say anything. */
  readonly yaml?: PolicyText | undefined;
  /** The file that came with the project, which may only tighten. On top of everything but flags. */
  readonly project?: PolicyText | undefined;
  /** The directory of `privateTemporary`, where the guard has a base directory. */
  readonly privateTemporary?: string | undefined;
}

/** Where one value came from. */
export type PolicySource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'default' };

/** What a file changes for one project, model or agent. */
export interface PolicyOverride {
  readonly scope: 'project' | 'model' | 'agent';
  readonly fits: (name: string) => boolean;
  readonly changes: PolicyChanges;
}

/** A policy with what it says about single projects, models and agents; `policyFor` makes a plain one of it. */
export interface ConfiguredPolicy extends Policy {
  readonly overrides: readonly PolicyOverride[];
  /** What the project's own file tightens, whatever an override says. */
  readonly tightening: PolicyChanges;
}

/** A policy and where each of its values came from. */
export interface LoadedPolicy {
  readonly policy: ConfiguredPolicy;
  readonly sources: Readonly<Record<PolicyKey, PolicySource>>;
  /** What the project's own file says and is not obeyed. */
  readonly loosenings: readonly Loosening[];
}

const SECTION = 'sandboxing';
/** Keys of the same file that `croft serve` reads. */
const OTHER_KEYS = [
  'auto_login',
  'host',
  'port',
  'public_url',
  'trusted_proxies',
  'allowed_origins',
  'secret_key',
  'superuser',
  'superuser_password',
  'database_url',
  'filesystem_path',
  'user_quota_bytes',
  'gateway_api_key',
  'gateway_api_key_user',
  'guard_upstream',
  'guard_root',
  'log_level',
];
const SCOPES = { projects: 'project', models: 'model', agents: 'agent' } as const;
const SPELLINGS: readonly {
  readonly key: PolicyKey;
  readonly flag: keyof PolicyFlags;
  readonly name: string;
  readonly env?: string;
}[] = [
  { key: 'enabled', flag: 'enableSandboxing', name: '--enable-sandboxing', env: 'ENABLE_SANDBOXING' },
  { key: 'strict_mode', flag: 'strict', name: '--strict', env: 'SANDBOXING_STRICT_MODE' },
  {
    key: 'allow_parent_access',
    flag: 'allowParentAccess',
    name: '--allow-parent-access',
    env: 'SANDBOXING_ALLOW_PARENT_ACCESS',
  },
  { key: 'mode', flag: 'dryRun', name: '--dry-run' },
  { key: 'remote', flag: 'remote', name: '--remote' },
];
/** A source of a higher rank wins. */
const RANK = { default: 0, file: 1, environment: 2, flag: 3 };

/**
 * Makes the policy of a guard. On by default: `croft guard` exists to guard (the seed's proxy has other jobs, and is
 * off by default). A blank environment variable counts as unset. Reads no file and no environment of its own, except
 * that paths of projects are resolved as they stand on the disk.
 *
 * @throws GuardConfigError for anything that is not understood: it is never read as a default
 */
export function loadPolicy({ flags = {}, env = {}, yaml, project, privateTemporary }: PolicyInput): LoadedPolicy {
  const values = readText(yaml);
  const fixed = readFixed(flags, env);
  const sources = Object.fromEntries(
    (Object.keys(POLICY_FIELDS) as PolicyKey[]).map((key) => [
      key,
      fixed.sources.get(key) ?? sourceInFile(values.entries.get(key)),
    ]),
  ) as Record<PolicyKey, PolicySource>;
  const policyFiles = [yaml, project].flatMap((text) => (text === undefined ? [] : [text.file]));
  const plain: Policy = {
    ...defaultPolicy(),
    ...values.changes,
    ...fixed.changes,
    policyFiles,
    privateTemporary,
  };
  refuseContradiction(plain, (key) => ({ source: sources[key], entry: values.entries.get(key) }), SECTION);
  const overrides = [...values.sections.values()].flatMap((entry) => overridesOf(entry, fixed.changes));
  const own = readText(project);
  for (const entry of own.sections.values()) readOverrides(entry, SECTION);
  const { tightening: tighter, loosenings } = readTightening(own, SECTION, [
    plain,
    ...overrides.map(({ changes }) => changes),
  ]);
  // A flag is of this moment, and the person's own.
  const tightening = Object.fromEntries(
    Object.entries(tighter).filter(([field]) => !fixed.byFlag.has(field)),
  ) as PolicyChanges;
  for (const key of tighteningKeys(tightening)) sources[key] = sourceInFile(own.entries.get(key));
  return { policy: { ...tighten(plain, tightening), overrides, tightening }, sources, loosenings };
}

/** What holds when nothing is configured. */
export function defaultPolicy(): Policy {
  return {
    enabled: true,
    strict: false,
    mode: 'enforce',
    allowParentAccess: false,
    customToolPatterns: [],
    defaultToolPatterns: DEFAULT_TOOL_PATTERNS.map((name) => new RegExp(name, 'i')),
    excludedTools: [],
    pathParameterNames: DEFAULT_PATH_PARAMETERS,
    denyRead: [],
    protect: DEFAULT_PROTECT,
    policyFiles: [],
    allowedRoots: [],
    privateTemporary: undefined,
    remote: false,
  };
}

/** Whose call it is. What is unknown stays out, and then no override of that kind applies. */
export interface PolicySubject {
  /** The project root. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
}

/**
 * The policy for one project, model and agent: overrides of the project first, then of the model, then of the agent;
 * of two that fit, the later in the file wins. Extra roots come on top of those before; every other value replaces.
 * What flags or the environment said stands against every override, and so does what the project's own file tightens.
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

/** A policy that is tightened besides by what another one's project tightens. */
export function alsoTightened(policy: ConfiguredPolicy, by: ConfiguredPolicy): ConfiguredPolicy {
  return {
    ...tighten(policy, by.tightening),
    tightening: bothTightenings(by.tightening, policy.tightening),
    policyFiles: [...new Set([...policy.policyFiles, ...by.policyFiles])],
  };
}

function readText(yaml: PolicyText | undefined): ReadValues {
  const section = yaml === undefined ? undefined : sectionOf(readPolicyFile(yaml.file, yaml.text));
  return section === undefined
    ? { changes: {}, entries: new Map(), sections: new Map() }
    : readValues(section, SECTION, Object.keys(SCOPES));
}

function sectionOf(file: SettingsMap): SettingsMap | undefined {
  let section: SettingsMap | undefined;
  for (const entry of file.entries) {
    if (OTHER_KEYS.includes(entry.key)) continue;
    if (entry.key !== SECTION) throw unknownKey(entry.key, entry, [SECTION, ...OTHER_KEYS]);
    const { value } = entry.setting;
    if (value === null) continue;
    if (!(value instanceof SettingsMap))
      throw new GuardConfigError(SECTION, ': must be a list of "key: value" lines', entry.setting);
    section = value;
  }
  return section;
}

function readFixed(
  flags: PolicyFlags,
  env: Readonly<Record<string, string | undefined>>,
): {
  readonly changes: PolicyChanges;
  readonly sources: ReadonlyMap<PolicyKey, PolicySource>;
  readonly byFlag: ReadonlySet<string>;
} {
  const changes: PolicyChanges = {};
  const byFlag = new Set<string>();
  const sources = new Map<PolicyKey, PolicySource>();
  for (const { key, flag, name, env: variable } of SPELLINGS) {
    const given = flags[flag];
    const text = variable === undefined ? '' : env[variable]?.trim();
    if (given !== undefined) {
      Object.assign(changes, { [POLICY_FIELDS[key]]: key === 'mode' ? (given ? 'dry-run' : 'enforce') : given });
      sources.set(key, { kind: 'flag', name });
      byFlag.add(POLICY_FIELDS[key]);
    } else if (text && variable !== undefined) {
      if (!/^(?:true|1|yes|on|false|0|no|off)$/i.test(text))
        throw new GuardConfigError(variable, ` must be true or false, not ${JSON.stringify(text.slice(0, 80))}`);
      Object.assign(changes, { [POLICY_FIELDS[key]]: /^(?:true|1|yes|on)$/i.test(text) });
      sources.set(key, { kind: 'environment', name: variable });
    }
  }
  return { changes, sources, byFlag };
}

function sourceInFile(entry: SettingsEntry | undefined): PolicySource {
  return entry === undefined ? { kind: 'default' } : { kind: 'file', path: entry.file, line: entry.line };
}

/**
 * Strict and off contradict each other where they are said in one breath, or where strict is said louder. Switching
 * off from above (`--enable-sandboxing=false` over a strict file) is how the seed has it.
 */
function refuseContradiction(
  policy: PolicyChanges,
  saidAt: (key: PolicyKey) => { readonly source: PolicySource; readonly entry: SettingsEntry | undefined },
  prefix: string,
): void {
  const off = saidAt('enabled').source;
  if (policy.enabled !== false || off.kind === 'default') return;
  for (const key of ['strict_mode', 'allow_parent_access'] as const) {
    const { source, entry } = saidAt(key);
    if (!policy[POLICY_FIELDS[key]] || RANK[source.kind] < RANK[off.kind]) continue;
    const name = 'name' in source ? source.name : `${prefix}.${key}`;
    throw new GuardConfigError(name, ' has no meaning while the guard is off (enabled: false)', entry);
  }
}

function overridesOf(entry: SettingsEntry, fixed: PolicyChanges): readonly PolicyOverride[] {
  const scope = SCOPES[entry.key as keyof typeof SCOPES];
  return readOverrides(entry, SECTION).map(({ name, values, key }) => {
    refuseContradiction(
      values.changes,
      (name) => ({ source: sourceInFile(values.entries.get(name)), entry: values.entries.get(name) }),
      key,
    );
    const changes = Object.fromEntries(
      Object.entries(values.changes).filter(([field]) => !Object.hasOwn(fixed, field)),
    ) as PolicyChanges;
    return { scope, changes, fits: typeof name === 'string' ? liesIn(name) : (text: string) => name.test(text) };
  });
}

/** Whether a project root is this directory or lies below it, by either of its names. */
function liesIn(dir: string): (root: string) => boolean {
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
