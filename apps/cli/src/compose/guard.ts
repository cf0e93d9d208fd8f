import { readFileSync, statSync } from 'node:fs';
import { join, posix, resolve, win32 } from 'node:path';
import {
  type ConfiguredPolicy,
  createJudge,
  detectRoot,
  GuardConfigError,
  type Judge,
  type LoadedPolicy,
  loadPolicy,
  openPlace,
  placeFrom,
  type PolicySubject,
  policyFor,
} from '@croft/guard/judging';
import { UsageError } from '../usage-error.ts';

const CONFIG_FILE = 'croft.config.yaml';

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

/** A guard's configuration, and the file it came from. */
export interface GuardConfig extends LoadedPolicy {
  readonly file: string | undefined;
}

/**
 * Reads the guard's configuration: flags over environment over `--config`, or over `croft.config.yaml` in this
 * directory (else in the other one), over defaults.
 *
 * @throws UsageError for a file that is not there, and for anything in it that is not understood
 */
export function readGuardConfig(flags: GuardFlags, dir: string, env: NodeJS.ProcessEnv, other = dir): GuardConfig {
  const file = flags.config === undefined ? configIn([dir, other]) : resolve(flags.config);
  try {
    const yaml = file === undefined ? undefined : { file, text: readConfig(file) };
    return { ...loadPolicy({ flags, env, yaml }), file };
  } catch (error) {
    throw error instanceof GuardConfigError ? new UsageError(error.message) : error;
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

function configIn(dirs: readonly string[]): string | undefined {
  return dirs.map((dir) => join(dir, CONFIG_FILE)).find(isThere);
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
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
