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
/** A name that people give it by mistake: never read, and said. */
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
  /** The person's own. */
  readonly file: string | undefined;
  /** The project's, which only tightens. */
  readonly projectFile: string | undefined;
  /** For the person: what is not as one might think. */
  readonly notices: readonly string[];
  /**
   * The same for another project: all that was read at the start, and that project's own file as it stands now.
   *
   * @throws UsageError like {@link findGuardConfig}
   */
  forProject(root: string): GuardConfig;
}

/**
 * Reads the guard's configuration, and says on standard error what in it is not obeyed.
 *
 * @throws UsageError for a file that is not there, and for anything in one that is not understood
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
 * Flags over environment over the person's file (`--config`, else `croft.config.yaml` in the base directory) over
 * defaults; and what `croft.config.yaml` in the project root tightens on top of all but flags. That one came with the
 * project, so it cannot loosen anything. The working directory is not looked at.
 *
 * @throws UsageError for a file that is not there, and for anything in one that is not understood
 */
export function findGuardConfig(flags: GuardFlags, root: string | undefined, env: NodeJS.ProcessEnv): GuardConfig {
  const usual = join(croftBaseDir(env), CONFIG_FILE);
  const file = flags.config === undefined ? configAt(usual) : resolve(flags.config);
  const yaml = textOf(file);
  return configFor({ flags, env, usual, yaml }, root);
}

/** What holds for every project: flags, environment, and the person's file as it was at the start. */
interface Given {
  readonly flags: GuardFlags;
  readonly env: NodeJS.ProcessEnv;
  /** Where the person's file stands when no other was named. */
  readonly usual: string;
  readonly yaml: PolicyText | undefined;
}

function configFor(given: Given, root: string | undefined): GuardConfig {
  const { flags, env, usual, yaml } = given;
  const file = yaml?.file;
  const inRoot = root === undefined ? undefined : configAt(join(root, CONFIG_FILE));
  // The person's own choice, though it lies there.
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

/** Further directories that allow nothing as they stand, for whoever thinks they do. */
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

/** A judge for one project, and the policy it judges by. */
export interface OpenGuard {
  readonly judge: Judge;
  readonly policy: ReturnType<typeof policyFor>;
}

/**
 * Opens the judge for one project root, model and agent. Without a root every call is blocked. Relative paths are meant
 * from the root, or from the directory the agent is said to work in.
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
 * The root a person gave, or the one a working directory lies in.
 *
 * @throws UsageError for what is no directory, and for a remote agent whose root nobody gave
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

/** Why the guard is off, for whoever has to know. Undefined when it is on. */
export function offNotice({ policy, sources }: LoadedPolicy): string | undefined {
  if (policy.enabled) return undefined;
  const { enabled: source } = sources;
  const by =
    source.kind === 'file' ? `${source.path}:${source.line}` : 'name' in source ? source.name : 'the configuration';
  return `the guard is off (${by}): every call passes`;
}

/** The project whose file is looked for: none that lies on another machine. */
function localRoot({ root, remote }: GuardFlags, dir: string): string | undefined {
  if (remote) return undefined;
  return root === undefined ? detectRoot(dir) : resolve(root);
}

function configAt(file: string): string | undefined {
  const misnamed = join(dirname(file), MISNAMED_FILE);
  if (isThere(misnamed)) throw new UsageError(`${misnamed} is not read: its name must be ${CONFIG_FILE}`);
  if (!isThere(file)) return undefined;
  // A link to a device could be read for ever.
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
    // Passing over it would guard by defaults that the person never chose.
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
