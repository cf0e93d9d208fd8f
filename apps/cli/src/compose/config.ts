import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { croftBaseDir, osReason } from '@croft/workspace';
import { z } from 'zod';
import { UsageError } from '../usage-error.ts';

const CONFIG_FILE = 'croft.config.yaml';
/** What `croft guard` reads of the same file. */
const GUARD_KEY = 'sandboxing';
/** A configuration is a few lines; more is a mistake or an attack on the parser. */
const MAX_CONFIG_BYTES = 64 * 1024;

const portNumber = 'must be a whole number from 0 to 65535';
const hostName = 'must be one address or host name, such as 127.0.0.1';
const yesOrNo = 'must be true or false';

/**
 * Every configuration value of this stage. Texts are accepted as the environment has them (`"7860"`, `"off"`); what is
 * not understood is refused and never read as a default: a misspelt `CROFT_AUTO_LOGIN` must not open the door.
 */
const schema = z.object({
  baseDir: z.string({ error: 'must be a path' }).min(1, 'must be a path'),
  autoLogin: z.union(
    [
      z.boolean(),
      z
        .string()
        .regex(/^(true|1|yes|on|false|0|no|off)$/i)
        .transform((text) => /^(true|1|yes|on)$/i.test(text)),
    ],
    { error: yesOrNo },
  ),
  host: z.string({ error: hostName }).regex(/^[^\s/]+$/, hostName),
  port: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: portNumber })
    .pipe(z.int(portNumber).min(0, portNumber).max(65_535, portNumber)),
});

/** The configuration, parsed. */
export type ConfigValues = z.output<typeof schema>;
export type ConfigKey = keyof ConfigValues;

/** Where one value came from. `line` counts from 1. */
export type ConfigSource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'default' };

/** How each value is written: as a flag, in the environment, in the file. */
const SPELLINGS: Readonly<
  Record<ConfigKey, { readonly flag: string; readonly env: string; readonly file: string | undefined }>
> = {
  // Not in a file: `croft mcp`, `log` and `undo` read none, and would look for the same workspaces elsewhere.
  baseDir: { flag: '--base-dir', env: 'CROFT_BASE_DIR', file: undefined },
  autoLogin: { flag: '--auto-login', env: 'CROFT_AUTO_LOGIN', file: 'auto_login' },
  host: { flag: '--host', env: 'CROFT_HOST', file: 'host' },
  port: { flag: '--port', env: 'CROFT_PORT', file: 'port' },
};
const KEYS = Object.keys(SPELLINGS) as ConfigKey[];

/** Values that flags gave. */
export type ConfigFlags = { readonly [K in ConfigKey]?: ConfigValues[K] };

/** What the configuration is read from. */
export interface ConfigSurroundings {
  readonly env?: NodeJS.ProcessEnv;
  /** Directories agents write to: a configuration found in one of them is theirs, and is refused. */
  readonly agentDirs?: readonly string[];
}

/** The configuration and where it came from. */
export interface LoadedConfig {
  readonly values: ConfigValues;
  readonly sources: Readonly<Record<ConfigKey, ConfigSource>>;
  /** The file that was read. */
  readonly file: string | undefined;
  /** The values as environment variables, for what reads the environment at every call (namespaces do). */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a value is called in the environment, for people. */
export function configName(key: ConfigKey): string {
  return SPELLINGS[key].env;
}

/**
 * Reads the configuration: flags over environment over `<base>/croft.config.yaml` over defaults. The current directory
 * is never looked at: an agent may once have worked there, and left a file. A blank environment variable counts as
 * unset. The YAML parser is loaded only when there is a file.
 *
 * @throws UsageError naming the flag, the variable, or the file, line and key of a value that cannot be used
 */
export async function loadConfig(
  flags: ConfigFlags = {},
  surroundings: ConfigSurroundings = {},
): Promise<LoadedConfig> {
  const { env = process.env, agentDirs = [] } = surroundings;
  const baseDir = flags.baseDir ?? croftBaseDir(env);
  const file = findConfigFile(baseDir);
  if (file !== undefined) refuseAgentFile(file, baseDir, agentDirs);
  const written = file === undefined ? new Map<ConfigKey, Written>() : await readConfigFile(file);
  const defaults: ConfigValues = { baseDir, autoLogin: true, host: '127.0.0.1', port: 7860 };
  const values: Partial<Record<ConfigKey, unknown>> = {};
  const sources = {} as Record<ConfigKey, ConfigSource>;
  for (const key of KEYS) {
    const { value, source } = choose(key, flags, env, file, written) ?? {
      value: defaults[key],
      source: { kind: 'default' },
    };
    values[key] = parseValue(key, value, source);
    sources[key] = source;
  }
  const parsed = { ...(values as ConfigValues), baseDir };
  const environment = Object.fromEntries(KEYS.map((key) => [SPELLINGS[key].env, String(parsed[key])]));
  return { values: parsed, sources, file, environment };
}

interface Written {
  readonly value: unknown;
  readonly line: number;
}

function choose(
  key: ConfigKey,
  flags: ConfigFlags,
  env: NodeJS.ProcessEnv,
  file: string | undefined,
  written: ReadonlyMap<ConfigKey, Written>,
): { value: unknown; source: ConfigSource } | undefined {
  const { flag, env: name } = SPELLINGS[key];
  if (flags[key] !== undefined) return { value: flags[key], source: { kind: 'flag', name: flag } };
  const set = env[name]?.trim();
  if (set) return { value: set, source: { kind: 'environment', name } };
  const entry = written.get(key);
  if (entry === undefined || file === undefined) return undefined;
  return { value: entry.value, source: { kind: 'file', path: file, line: entry.line } };
}

function parseValue(key: ConfigKey, value: unknown, source: ConfigSource): unknown {
  const parsed = schema.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0]?.message ?? 'cannot be used';
  throw new UsageError(`${describePlace(key, source)} ${problem}, not ${JSON.stringify(value)}`);
}

function describePlace(key: ConfigKey, source: ConfigSource): string {
  if (source.kind === 'file') return `${source.path}:${source.line}: ${SPELLINGS[key].file}`;
  return source.kind === 'flag' ? source.name : SPELLINGS[key].env;
}

function findConfigFile(baseDir: string): string | undefined {
  const path = join(baseDir, CONFIG_FILE);
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : path;
  } catch (error) {
    // Passing over it would start with defaults the operator never chose.
    throw unreadable(path, error);
  }
}

/** What an agent can write must not say on which address its own server listens, or who needs no login. */
function refuseAgentFile(file: string, baseDir: string, agentDirs: readonly string[]): void {
  const real = realpathSync.native(file);
  const workspaces = join(baseDir, 'workspaces');
  // The base directory itself is out of reach of agents even where the directory around it is served.
  const safe = liesIn(real, baseDir) && !liesIn(real, workspaces);
  if (safe || ![workspaces, ...agentDirs].some((dir) => liesIn(real, dir))) return;
  throw new UsageError(
    `${file} lies in a directory that agents can write to, so it is not taken as configuration; put the file itself at ${join(baseDir, CONFIG_FILE)}`,
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

async function readConfigFile(file: string): Promise<ReadonlyMap<ConfigKey, Written>> {
  const text = readText(file);
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number | undefined): number => Math.max(1, lines.linePos(offset ?? 0).line);
  const [broken] = document.errors;
  if (broken) throw new UsageError(`${file}:${lineOf(broken.pos[0])}: ${firstSentence(broken.message)}`);
  const written = new Map<ConfigKey, Written>();
  if (document.contents === null) return written;
  if (!isMap(document.contents)) throw new UsageError(`${file}:1: must be a list of "key: value" lines`);
  for (const { key: keyNode, value: valueNode } of document.contents.items) {
    const name = isScalar(keyNode) ? String(keyNode.value) : String(keyNode);
    if (name === GUARD_KEY) continue;
    const line = lineOf(isScalar(keyNode) ? keyNode.range?.[0] : undefined);
    const key = KEYS.find((candidate) => SPELLINGS[candidate].file === name);
    if (key === undefined) throw new UsageError(`${file}:${line}: ${refusal(name)}`);
    const value: unknown = isScalar(valueNode) ? valueNode.value : (document.toJS() as Record<string, unknown>)[name];
    // `port:` with nothing behind it says nothing, as a blank environment variable does.
    if (value !== null && value !== undefined) written.set(key, { value, line });
  }
  return written;
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MAX_CONFIG_BYTES) throw new UsageError(`${file} is larger than ${MAX_CONFIG_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be read: ${osReason(error)}`);
}

function refusal(name: string): string {
  if (name === 'base_dir') {
    return 'base_dir cannot be set in a file, because croft mcp, log and undo read none; set CROFT_BASE_DIR instead';
  }
  const known = KEYS.map((key) => SPELLINGS[key].file).filter((file) => file !== undefined);
  return `${name} is not a key Croft knows; it knows ${known.join(', ')}`;
}

function firstSentence(message: string): string {
  return message.split('\n')[0] as string;
}
