import { statSync } from 'node:fs';
import { posix, resolve, win32 } from 'node:path';
import { detectRoot, findGuardConfig, type GuardConfig, GuardConfigError } from '@croft/guard/judging';
import { croftBaseDir } from '@croft/workspace';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

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
  const config = guardConfigOf(flags, root, env);
  for (const notice of config.notices) process.stderr.write(`croft: ${printable(notice)}\n`);
  return config;
}

/**
 * Finds the guard's configuration, with `--config` in place of the usual file.
 *
 * @throws UsageError for a missing file and for an invalid setting
 */
export function guardConfigOf(flags: GuardFlags, root: string | undefined, env: NodeJS.ProcessEnv): GuardConfig {
  const file = flags.config === undefined ? undefined : resolve(flags.config);
  try {
    return findGuardConfig({ flags, env, baseDir: croftBaseDir(env), file }, root);
  } catch (error) {
    throw error instanceof GuardConfigError ? new UsageError(error.message) : error;
  }
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

/** The project whose own file is read; undefined for a project on another machine. */
function localRoot({ root, remote }: GuardFlags, dir: string): string | undefined {
  if (remote) return undefined;
  return root === undefined ? detectRoot(dir) : resolve(root);
}
