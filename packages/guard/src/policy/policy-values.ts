import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, resolve } from 'node:path';
import { DEFAULT_DENY_READ, DEFAULT_PROTECT } from './default-patterns.ts';
import { GuardConfigError } from './guard-config-error.ts';
import type { Policy } from './policy.ts';
import { type Setting, type SettingsEntry, SettingsMap } from './policy-file.ts';
import { compileToolPattern, MAX_STEPS, stepsOf } from './tool-pattern.ts';

/** The keys of a policy in a file, and the fields of `Policy` they set. */
export const POLICY_FIELDS = {
  enabled: 'enabled',
  strict_mode: 'strict',
  mode: 'mode',
  allow_parent_access: 'allowParentAccess',
  custom_tool_patterns: 'customToolPatterns',
  default_tool_patterns: 'defaultToolPatterns',
  excluded_tools: 'excludedTools',
  path_parameter_names: 'pathParameterNames',
  deny_read: 'denyRead',
  protect: 'protect',
  allowed_roots: 'allowedRoots',
  remote: 'remote',
} as const satisfies Readonly<Record<string, keyof Policy>>;

/** A key of the policy as written in a file. */
export type PolicyKey = keyof typeof POLICY_FIELDS;

/** The values that one section of a file sets; all others are absent. */
export type PolicyChanges = { -readonly [K in keyof Policy]?: Policy[K] };

/** The values of a map, their positions, and the keys that are sections of their own. */
export interface ReadValues {
  readonly changes: PolicyChanges;
  readonly entries: ReadonlyMap<PolicyKey, SettingsEntry>;
  readonly sections: ReadonlyMap<string, SettingsEntry>;
}

const MAX_GLOB_LENGTH = 1_000;
const MAX_LIST = 1_000;
const PROBES = ['', 'a', 'a b'];

/**
 * Reads the keys of one map. Relative paths start at the file's directory, `~/` is the home directory.
 *
 * @throws GuardConfigError with file, line, column and key, for an unknown key (with the nearest known one), a wrong
 * type, a pattern that is invalid or could take very long, or a list that must not be empty
 */
export function readValues(map: SettingsMap, prefix: string, sectionNames: readonly string[]): ReadValues {
  const changes: PolicyChanges = {};
  const entries = new Map<PolicyKey, SettingsEntry>();
  const sections = new Map<string, SettingsEntry>();
  for (const entry of map.entries) {
    const key = `${prefix}.${entry.key}`;
    if (sectionNames.includes(entry.key)) {
      if (entry.setting.value !== null) sections.set(entry.key, entry);
      continue;
    }
    if (!Object.hasOwn(POLICY_FIELDS, entry.key))
      throw unknownKey(key, entry, [...Object.keys(POLICY_FIELDS), ...sectionNames]);
    // A key without a value sets nothing, like a blank environment variable.
    if (entry.setting.value === null) continue;
    const name = entry.key as PolicyKey;
    entries.set(name, entry);
    Object.assign(changes, { [POLICY_FIELDS[name]]: READERS[name](entry.setting, key) });
  }
  return { changes, entries, sections };
}

const READERS: { readonly [K in PolicyKey]: (setting: Setting, key: string) => Policy[(typeof POLICY_FIELDS)[K]] } = {
  enabled: readBoolean,
  strict_mode: readBoolean,
  allow_parent_access: readBoolean,
  remote: readBoolean,
  mode: (setting, key) => {
    if (setting.value === 'enforce' || setting.value === 'dry-run') return setting.value;
    throw wrong(setting, key, 'must be enforce or dry-run');
  },
  custom_tool_patterns: readPatterns,
  default_tool_patterns: readPatterns,
  excluded_tools: (setting, key) => {
    for (const item of readItems(setting, key)) {
      const pattern = compilePattern(textOf(item, key), item, key);
      // A pattern that matches the empty text matches every name and would silently switch the guard off.
      if (PROBES.some((name) => pattern.exec(name)?.[0] === ''))
        throw wrong(item, key, 'must not match the empty text, which is in every name');
    }
    return readPatterns(setting, key);
  },
  path_parameter_names: (setting, key) => {
    const names = readTexts(setting, key);
    if (names.length === 0)
      throw wrong(setting, key, 'must not be empty; leave the key out for the names Croft knows itself');
    return names;
  },
  deny_read: (setting, key) => readGlobs(setting, key, DEFAULT_DENY_READ),
  protect: (setting, key) => readGlobs(setting, key, DEFAULT_PROTECT),
  allowed_roots: (setting, key) =>
    readItems(setting, key).map((item) => {
      const dir = readPath(textOf(item, key), item, key);
      if (parse(dir).root === dir) throw wrong(item, key, 'must not be the whole disk');
      return dir;
    }),
};

function readBoolean(setting: Setting, key: string): boolean {
  if (typeof setting.value === 'boolean') return setting.value;
  throw wrong(setting, key, 'must be true or false');
}

function readItems(setting: Setting, key: string): readonly Setting[] {
  if (!Array.isArray(setting.value)) throw wrong(setting, key, 'must be a list');
  if (setting.value.length > MAX_LIST) throw wrong(setting, key, `must have at most ${MAX_LIST} entries`);
  return setting.value as readonly Setting[];
}

function readTexts(setting: Setting, key: string): readonly string[] {
  return readItems(setting, key).map((item) => textOf(item, key));
}

function textOf(item: Setting, key: string): string {
  if (typeof item.value === 'string' && item.value.trim() !== '') return item.value;
  throw wrong(item, key, 'must be a list of texts');
}

function readPatterns(setting: Setting, key: string): readonly RegExp[] {
  let steps = 0;
  return readItems(setting, key).map((item) => {
    const source = textOf(item, key);
    const compiled = compilePattern(source, item, key);
    steps += stepsOf(source);
    if (steps > MAX_STEPS) throw wrong(item, key, 'must have fewer patterns that can match a name in many ways');
    return compiled;
  });
}

function compilePattern(source: string, at: Setting | SettingsEntry, key: string): RegExp {
  const compiled = compileToolPattern(source);
  if (typeof compiled === 'string') throw new GuardConfigError(key, `: ${compiled}`, at);
  return compiled;
}

/**
 * `true`: the default list. `false` and `[]`: an empty list. A list: itself, where `default` inserts the default list.
 */
function readGlobs(setting: Setting, key: string, defaults: readonly string[]): readonly string[] {
  if (typeof setting.value === 'boolean') return setting.value ? defaults : [];
  if (setting.value === 'default') return defaults;
  if (!Array.isArray(setting.value)) throw wrong(setting, key, 'must be true, false or a list');
  const globs = readItems(setting, key).flatMap((item) => {
    const glob = textOf(item, key);
    if (glob === 'default') return defaults;
    if (glob.length > MAX_GLOB_LENGTH) throw wrong(item, key, `must be at most ${MAX_GLOB_LENGTH} characters long`);
    return [glob];
  });
  return [...new Set(globs)];
}

/**
 * A path of the file: `~/` is the home directory, a relative path starts at the file's directory. Does not resolve
 * links.
 */
function readPath(text: string, at: Setting | SettingsEntry, key: string): string {
  if (text.includes('\0')) throw new GuardConfigError(key, ': must not have a NUL character', at);
  if (/\$|%\w+%/.test(text))
    throw new GuardConfigError(key, ': variables are not expanded here: write the path out', at);
  if (text === '~' || text.startsWith('~/')) return resolve(homedir(), text.slice(2));
  if (text.startsWith('~'))
    throw new GuardConfigError(key, ': homes of other users are not known here: write the path out', at);
  return isAbsolute(text) ? resolve(text) : resolve(dirname(at.file), text);
}

/** The overrides of one section. Each key is a project's path, or a pattern for the name of a model or agent. */
export function readOverrides(
  entry: SettingsEntry,
  prefix: string,
): readonly { readonly name: string | RegExp; readonly values: ReadValues; readonly key: string }[] {
  const key = `${prefix}.${entry.key}`;
  const map = entry.setting.value;
  if (!(map instanceof SettingsMap))
    throw wrong(
      entry.setting,
      key,
      entry.key === 'projects' ? 'must have the paths of projects as keys' : 'must have patterns of names as keys',
    );
  return map.entries.map((one) => {
    const own = `${key}.${one.key}`;
    const name = entry.key === 'projects' ? readPath(one.key, one, own) : compilePattern(one.key, one, own);
    if (!(one.setting.value instanceof SettingsMap))
      throw wrong(one.setting, own, 'must be a list of "key: value" lines');
    return { name, values: readValues(one.setting.value, own, []), key: own };
  });
}

function wrong(setting: Setting, key: string, problem: string): GuardConfigError {
  const { value } = setting;
  const shown =
    value instanceof SettingsMap
      ? 'keys and values'
      : Array.isArray(value)
        ? 'a list'
        : JSON.stringify(value)?.slice(0, 80);
  return new GuardConfigError(key, `: ${problem}, not ${shown}`, setting);
}

/** The error for an unknown key, with the nearest known one. */
export function unknownKey(key: string, entry: SettingsEntry, known: readonly string[]): GuardConfigError {
  const ranked = known.map((name) => ({ name, far: distance(entry.key.toLowerCase(), name) }));
  const nearest = ranked.reduce((best, one) => (one.far < best.far ? one : best));
  const hint =
    nearest.far <= Math.max(2, Math.ceil(nearest.name.length / 3))
      ? `did you mean ${nearest.name}?`
      : `it knows ${known.join(', ')}`;
  return new GuardConfigError(key, ` is not a key the guard knows; ${hint}`, entry);
}

/** The Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  if (from.length > 64) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(
        Math.min(
          (next[j - 1] as number) + 1,
          (row[j] as number) + 1,
          (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] as number;
}
