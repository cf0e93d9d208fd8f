import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import {
  type ConfiguredPolicy,
  createJudge,
  detectRoot,
  GuardConfigError,
  type Judge,
  type LoadedPolicy,
  loadPolicy,
  privateTemporary,
  openPlace,
  placeFrom,
  type PolicySubject,
  type PolicyText,
  policyFor,
} from '@croft/guard/judging';
import { croftBaseDir } from '@croft/workspace';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

export const CONFIG_FILE = 'croft.config.yaml';
/** A common wrong name of the file. It is not read; the guard refuses to start if it exists. */
export const MISNAMED_FILE = 'croft.config.yml';

/** The flags every `croft guard …` takes, as commander gives them. */
export interface GuardFlags {
  readonly root?: string;
  readonly config?: string;
  readonly enableSandboxing?: boolean;
  readonly strict?: boolean;
  readonly allowParentAccess?: boolean;
  readonly dryRun?: boolean;
  readonly remote?: boolean;
}

/** A guard's configuration, and the files it came from. */
export interface GuardConfig extends LoadedPolicy {
  /** The user's own file. */
  readonly file: string | undefined;
  /** The project's file, which can only tighten the policy. */
  readonly projectFile: string | undefined;
  /** Messages for the user about settings that have no effect. */
  readonly notices: readonly string[];
  /**
   * Returns the configuration for another project: the settings read at the start, and that project's current file.
   *
   * @throws UsageError like {@link findGuardConfig}
   */
  forProject(root: string): GuardConfig;
}

/**
 * Reads the guard's configuration, and writes a line to standard error for each setting that has no effect.
 *
 * @throws UsageError for a missing file and for an invalid setting
 */
export function readGuardConfig(
  flags: GuardFlags,
  dir: string,
  env: NodeJS.ProcessEnv,
  root = localRoot(flags, dir),
): GuardConfig {
  const config = findGuardConfig(flags, root, env);
  for (const notice of config.notices) process.stderr.write(`croft: ${printable(notice)}\n`);
  return config;
}

/**
 * Finds the guard's configuration. Flags override the environment, which overrides the user's file (`--config`, else
 * `croft.config.yaml` in the base directory), which overrides the defaults. `croft.config.yaml` in the project root can tighten
 * everything except flags; it cannot loosen anything, because it comes with the project. A file in the working directory is
 * not read.
 *
 * @throws UsageError for a missing file and for an invalid setting
 */
export function findGuardConfig(flags: GuardFlags, root: string | undefined, env: NodeJS.ProcessEnv): GuardConfig {
  const usual = join(croftBaseDir(env), CONFIG_FILE);
  const file = flags.config === undefined ? configAt(usual) : resolve(flags.config);
  const yaml = textOf(file);
  return configFor({ flags, env, usual, yaml }, root);
}

/** Settings for every project: flags, environment, and the user's file as read at the start. */
interface Given {
  readonly flags: GuardFlags;
  readonly env: NodeJS.ProcessEnv;
  /** The path of the user's file if no other was named. */
  readonly usual: string;
  readonly yaml: PolicyText | undefined;
}

function configFor(given: Given, root: string | undefined): GuardConfig {
  const { flags, env, usual, yaml } = given;
  const file = yaml?.file;
  const inRoot = root === undefined ? undefined : configAt(join(root, CONFIG_FILE));
  // The user named this file with --config, so it counts as the user's own although it is in the project.
  const projectFile = inRoot !== undefined && file !== undefined && isSame(inRoot, file) ? undefined : inRoot;
  try {
    const loaded = loadPolicy({
      flags,
      env,
      yaml,
      project: textOf(projectFile),
      privateTemporary: privateTemporary(croftBaseDir(env)),
    });
    const notices = loaded.loosenings.map(
      ({ file: own, line, column, key }) =>
        `${own}:${line}:${column}: ${key} is not obeyed: a project's own file may only tighten. To allow it, put it into ${file ?? usual} under sandboxing.projects, below ${JSON.stringify(root)}`,
    );
    return {
      ...loaded,
      file,
      projectFile,
      notices: [...notices, ...missingRoots(loaded, root)],
      forProject: (other) => configFor(given, other),
    };
  } catch (error) {
    throw error instanceof GuardConfigError ? new UsageError(error.message) : error;
  }
}

/** Warnings about further roots that do not exist or are not directories, and so allow nothing. */
function missingRoots({ policy }: LoadedPolicy, project: string | undefined): readonly string[] {
  if (policy.remote) return [];
  return policyFor(policy, { project }).allowedRoots.flatMap((dir) => {
    const what = whatIs(dir);
    return what === 'a directory' ? [] : [`allowed_roots: ${dir} is ${what}, so it allows nothing until it is made`];
  });
}

function whatIs(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'not there' : stats.isDirectory() ? 'a directory' : 'no directory';
  } catch {
    return 'out of reach';
  }
}

/** A judge for one project, and its policy. */
export interface OpenGuard {
  readonly judge: Judge;
  readonly policy: ReturnType<typeof policyFor>;
}

/**
 * Opens the judge for one project root, model and agent. Without a root the judge blocks every call. Relative paths start at
 * `cwd`, the working directory of the agent, else at the root.
 */
export function openGuard(
  policy: ConfiguredPolicy,
  root: string | undefined,
  { agent, model }: PolicySubject = {},
  cwd?: string,
): OpenGuard {
  const own = policyFor(policy, { agent, model, project: root });
  const place = openPlace(own, root);
  return { judge: createJudge(own, cwd === undefined ? place : placeFrom(place, cwd)), policy: own };
}

/**
 * Returns the root from the flags, else the project root of a working directory.
 *
 * @throws UsageError if the root is not a directory, and for a remote agent without `--root`
 */
export function guardRoot(flags: GuardFlags, isRemote: boolean, dir: string): string | undefined {
  if (isRemote) {
    if (flags.root === undefined)
      throw new UsageError('--remote needs --root: the project directory of the agent on its own machine');
    if (!posix.isAbsolute(flags.root) && !win32.isAbsolute(flags.root))
      throw new UsageError(`With --remote, --root must be an absolute path: ${flags.root}`);
    return flags.root;
  }
  if (flags.root === undefined) return detectRoot(dir);
  const root = resolve(flags.root);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`Not a directory: ${flags.root}`);
  return root;
}

/** One sentence that says which setting turned the guard off; undefined if it is on. */
export function offNotice({ policy, sources }: LoadedPolicy): string | undefined {
  if (policy.enabled) return undefined;
  const { enabled: source } = sources;
  const by =
    source.kind === 'file' ? `${source.path}:${source.line}` : 'name' in source ? source.name : 'the configuration';
  return `the guard is off (${by}): every call passes`;
}

/** The project whose own file is read; undefined for a project on another machine. */
function localRoot({ root, remote }: GuardFlags, dir: string): string | undefined {
  if (remote) return undefined;
  return root === undefined ? detectRoot(dir) : resolve(root);
}

function configAt(file: string): string | undefined {
  const misnamed = join(dirname(file), MISNAMED_FILE);
  if (isThere(misnamed)) throw new UsageError(`${misnamed} is not read: its name must be ${CONFIG_FILE}`);
  if (!isThere(file)) return undefined;
  // Reading a device, for example through a link, might never end.
  if (!statSync(file).isFile()) throw new UsageError(`${file} cannot be read: not a file`);
  return file;
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other);
  } catch {
    return false;
  }
}

function textOf(file: string | undefined): PolicyText | undefined {
  return file === undefined ? undefined : { file, text: readConfig(file) };
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    // Ignoring an unreadable file would use defaults that the user did not choose.
    throw unreadable(file, error);
  }
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
}
