import { defaultPolicy } from './default-policy.ts';
import { GuardConfigError } from './guard-config-error.ts';
import type { Policy } from './policy.ts';
import { readPolicyFile, type SettingsEntry, SettingsMap } from './policy-file.ts';
import { type ConfiguredPolicy, liesIn, type PolicyOverride } from './policy-for.ts';
import {
  POLICY_FIELDS,
  type PolicyChanges,
  type PolicyKey,
  type ReadValues,
  readOverrides,
  readValues,
  unknownKey,
} from './policy-values.ts';
import { type Loosening, readTightening, tighten, tighteningKeys } from './project-policy.ts';
import { matches } from './tool-pattern.ts';

/** Values of command line flags. */
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

/** A configuration file: its absolute path, which is the base of relative paths in it, and its text. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
}

/**
 * The sources of a policy. Flags override the environment, which overrides the user's file, which overrides the
 * defaults; the project's file can only tighten the result.
 */
export interface PolicyInput {
  readonly flags?: PolicyFlags;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user's own file, which may set anything. */
  readonly yaml?: PolicyText | undefined;
  /** The project's file, which may only tighten. It applies on top of everything except flags. */
  readonly project?: PolicyText | undefined;
  /** The path of `privateTemporary`, if the guard has a base directory. */
  readonly privateTemporary?: string | undefined;
}

/** The origin of one value. */
export type PolicySource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'default' };

/** A policy and the origin of each value. */
export interface LoadedPolicy {
  readonly policy: ConfiguredPolicy;
  readonly sources: Readonly<Record<PolicyKey, PolicySource>>;
  /** The settings in the project's file that are ignored because they would loosen the policy. */
  readonly loosenings: readonly Loosening[];
}

const SECTION = 'sandboxing';
/** Keys of the same file that `croft serve` reads. A test of the server compares them with its settings. */
const OTHER_KEYS = [
  'auto_login',
  'host',
  'port',
  'public_url',
  'trusted_proxies',
  'allowed_origins',
  'secret_key',
  'secret_key_previous',
  'superuser',
  'superuser_password',
  'database_url',
  'filesystem_path',
  'user_quota_bytes',
  'trash_bytes',
  'gateway_api_key',
  'gateway_api_key_user',
  'guard_upstream',
  'guard_root',
  'guard_roots_below',
  'guard_key_root',
  'guard_pass',
  'flow_hosts',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'flow_proxy',
  'flow_commands',
  'run_retention_days',
  'run_history_bytes',
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
/** A source with a higher rank wins. */
const RANK = { default: 0, file: 1, environment: 2, flag: 3 };

/**
 * Creates the policy of a guard. The guard is on by default, because guarding is the only purpose of `croft guard`
 * (llm-interactive-proxy has other tasks and is off by default). A blank environment variable counts as unset. Reads
 * neither files nor the process's environment, except that it resolves the paths of projects on the disk.
 *
 * @throws GuardConfigError for every setting it does not understand; it never falls back to a default
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
  // The user sets a flag for this run, so it overrides the project's file.
  const tightening = Object.fromEntries(
    Object.entries(tighter).filter(([field]) => !fixed.byFlag.has(field)),
  ) as PolicyChanges;
  for (const key of tighteningKeys(tightening)) sources[key] = sourceInFile(own.entries.get(key));
  return { policy: { ...tighten(plain, tightening), overrides, tightening }, sources, loosenings };
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
 * Refuses a strict policy that is switched off by a source of the same or a lower rank, because the two contradict each
 * other. Switching it off from a higher rank (`--enable-sandboxing=false` over a strict file) is allowed, as in
 * llm-interactive-proxy.
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
    return { scope, changes, fits: typeof name === 'string' ? liesIn(name) : matches(name) };
  });
}
