import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { croftBaseDir, osReason } from '@croft/workspace';
import { type SettingName, type Settings, settingsSchema, SPELLINGS } from './settings.ts';

const CONFIG_FILE = 'croft.config.yaml';
/** What `croft guard` reads of the same file. */
const GUARD_KEY = 'sandboxing';
/** A configuration is a few lines; more is a mistake or an attack on the parser. */
const MAX_CONFIG_BYTES = 64 * 1024;

/** Where one value came from. `line` counts from 1. */
export type ConfigSource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'default' };

/** Settings that the namespace functions read from their environment. */
const FOR_NAMESPACES = ['baseDir', 'autoLogin', 'host', 'port'] as const;
const KEYS = Object.keys(SPELLINGS) as SettingName[];

/** A configuration that cannot be used: its message names the flag, the variable, or the file, line and key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Values that flags gave. */
export type ConfigFlags = { readonly [K in SettingName]?: Settings[K] };

/** The environment to read, and the directories that a configuration must not come from. */
export interface ConfigSurroundings {
  readonly env?: NodeJS.ProcessEnv;
  /** Directories that agents write to. A configuration in one of them is refused: an agent may have made it. */
  readonly agentDirs?: readonly string[];
}

/** The configuration and where it came from. */
export interface LoadedConfig {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingName, ConfigSource>>;
  /** The file that was read. */
  readonly file: string | undefined;
  /** The values as environment variables, for functions that take an environment, such as `resolveNamespace`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The environment variable of a setting, for messages. */
export function configName(key: SettingName): string {
  return SPELLINGS[key].env;
}

/** Whether a value is a secret, which is not shown to anyone, including operators. */
export function isSecretSetting(key: SettingName): boolean {
  return SPELLINGS[key].secret === true;
}

/**
 * Reads the configuration: flags over environment over `<base>/croft.config.yaml` over defaults. Ignores the current
 * directory, where an agent may have left a file. A blank environment variable counts as unset. Loads the YAML parser
 * only if there is a file.
 *
 * @throws ConfigError naming the flag, the variable, or the file, line and key of a value that cannot be used
 */
export async function loadConfig(
  flags: ConfigFlags = {},
  surroundings: ConfigSurroundings = {},
): Promise<LoadedConfig> {
  const { env = process.env, agentDirs = [] } = surroundings;
  const baseDir = flags.baseDir ?? croftBaseDir(env);
  const file = findConfigFile(baseDir);
  if (file !== undefined) refuseAgentFile(file, baseDir, agentDirs);
  const written = file === undefined ? new Map<SettingName, Written>() : await readConfigFile(file);
  const defaults: Partial<Settings> = { baseDir, autoLogin: true, host: '127.0.0.1', port: 7860 };
  const values: Partial<Record<SettingName, unknown>> = {};
  const sources = {} as Record<SettingName, ConfigSource>;
  for (const key of KEYS) {
    const { value, source } = choose(key, flags, env, file, written) ?? {
      value: defaults[key],
      source: { kind: 'default' },
    };
    values[key] = parseValue(key, value, source);
    sources[key] = source;
  }
  const parsed = { ...(values as Settings), baseDir };
  const environment = Object.fromEntries(FOR_NAMESPACES.map((key) => [SPELLINGS[key].env, String(parsed[key])]));
  return { values: parsed, sources, file, environment };
}

interface Written {
  readonly value: unknown;
  readonly line: number;
}

function choose(
  key: SettingName,
  flags: ConfigFlags,
  env: NodeJS.ProcessEnv,
  file: string | undefined,
  written: ReadonlyMap<SettingName, Written>,
): { value: unknown; source: ConfigSource } | undefined {
  const { flag, env: name } = SPELLINGS[key];
  if (flags[key] !== undefined) return { value: flags[key], source: { kind: 'flag', name: flag } };
  // Programs spell proxies in capitals or small letters.
  const set = env[name]?.trim() || (name.endsWith('_PROXY') ? env[name.toLowerCase()]?.trim() : undefined);
  if (set) return { value: set, source: { kind: 'environment', name } };
  const entry = written.get(key);
  if (entry === undefined || file === undefined) return undefined;
  return { value: entry.value, source: { kind: 'file', path: file, line: entry.line } };
}

function parseValue(key: SettingName, value: unknown, source: ConfigSource): unknown {
  const parsed = settingsSchema.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0]?.message ?? 'cannot be used';
  // An invalid secret may be a mistyped real one: do not print it.
  const shown = isSecretSetting(key) ? '' : `, not ${JSON.stringify(value)}`;
  throw new ConfigError(`${describePlace(key, source)} ${problem}${shown}`);
}

function describePlace(key: SettingName, source: ConfigSource): string {
  if (source.kind === 'file') return `${source.path}:${source.line}: ${SPELLINGS[key].file}`;
  return source.kind === 'flag' ? source.name : SPELLINGS[key].env;
}

function findConfigFile(baseDir: string): string | undefined {
  const path = join(baseDir, CONFIG_FILE);
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : path;
  } catch (error) {
    // Ignoring the file would start the server with defaults that the operator did not choose.
    throw unreadable(path, error);
  }
}

/** Refuses a configuration file that an agent can write: it could change the listen address or turn off sign-in. */
function refuseAgentFile(file: string, baseDir: string, agentDirs: readonly string[]): void {
  const real = realpathSync.native(file);
  const workspaces = join(baseDir, 'workspaces');
  // Agents cannot reach the base directory itself, even if its parent directory is served to them.
  const safe = liesIn(real, baseDir) && !liesIn(real, workspaces);
  if (safe || ![workspaces, ...agentDirs].some((dir) => liesIn(real, dir))) return;
  throw new ConfigError(
    `${file} is in a directory that agents can write to, so Croft does not use it as configuration; put the file itself at ${join(baseDir, CONFIG_FILE)}`,
  );
}

function liesIn(realPath: string, dir: string): boolean {
  try {
    const root = realpathSync.native(dir);
    return realPath.startsWith(root.endsWith(sep) ? root : root + sep);
  } catch {
    // A directory that does not exist holds nothing.
    return false;
  }
}

async function readConfigFile(file: string): Promise<ReadonlyMap<SettingName, Written>> {
  const text = readText(file);
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number | undefined): number => Math.max(1, lines.linePos(offset ?? 0).line);
  const [broken] = document.errors;
  if (broken) throw new ConfigError(`${file}:${lineOf(broken.pos[0])}: ${firstSentence(broken.message)}`);
  const written = new Map<SettingName, Written>();
  if (document.contents === null) return written;
  if (!isMap(document.contents)) throw new ConfigError(`${file}:1: must be a list of "key: value" lines`);
  for (const { key: keyNode, value: valueNode } of document.contents.items) {
    const name = isScalar(keyNode) ? String(keyNode.value) : String(keyNode);
    if (name === GUARD_KEY) continue;
    const line = lineOf(isScalar(keyNode) ? keyNode.range?.[0] : undefined);
    const key = KEYS.find((candidate) => SPELLINGS[candidate].file === name);
    if (key === undefined) throw new ConfigError(`${file}:${line}: ${refusal(name)}`);
    const value: unknown = isScalar(valueNode) ? valueNode.value : (document.toJS() as Record<string, unknown>)[name];
    // `port:` without a value counts as unset, like a blank environment variable.
    if (value !== null && value !== undefined) written.set(key, { value, line });
  }
  return written;
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MAX_CONFIG_BYTES) throw new ConfigError(`${file} is larger than ${MAX_CONFIG_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): ConfigError {
  return new ConfigError(`${file} cannot be read: ${osReason(error)}`);
}

function refusal(name: string): string {
  if (name === 'base_dir') {
    return 'base_dir cannot be set in a file, because croft mcp, log and undo do not read that file; set CROFT_BASE_DIR instead';
  }
  const known = KEYS.map((key) => SPELLINGS[key].file).filter((file) => file !== undefined);
  return `${name} is not a key Croft knows; it knows ${known.join(', ')}`;
}

function firstSentence(message: string): string {
  return message.split('\n')[0] as string;
}
