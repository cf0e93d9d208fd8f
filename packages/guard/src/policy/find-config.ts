import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardConfigError } from './guard-config-error.ts';
import { type LoadedPolicy, loadPolicy, type PolicyFlags, type PolicyText } from './load-policy.ts';
import { policyFor } from './policy-for.ts';
import { privateTemporary } from './private-temporary.ts';

export const CONFIG_FILE = 'croft.config.yaml';
/** A common wrong name of the file. It is not read; the guard refuses to start if it exists. */
export const MISNAMED_FILE = 'croft.config.yml';

/** The sources of a configuration, apart from the project. */
export interface ConfigSources {
  readonly flags?: PolicyFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory of Croft's own files, with the user's configuration unless `file` names another one. */
  readonly baseDir: string;
  readonly file?: string | undefined;
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
   * @throws GuardConfigError like {@link findGuardConfig}
   */
  forProject(root: string): GuardConfig;
}

/**
 * Finds the guard's configuration. Flags override the environment, which overrides the user's file (the named one, else
 * `croft.config.yaml` in the base directory), which overrides the defaults. `croft.config.yaml` in the project root can tighten
 * everything except flags; it cannot loosen anything, because it comes with the project. A file in the working directory is
 * not read.
 *
 * @throws GuardConfigError for a missing file and for an invalid setting
 */
export function findGuardConfig(sources: ConfigSources, root: string | undefined): GuardConfig {
  const usual = join(sources.baseDir, CONFIG_FILE);
  return configFor({ ...sources, usual, yaml: textOf(sources.file ?? configAt(usual)) }, root);
}

/** Settings for every project: flags, environment, and the user's file as read at the start. */
interface Given extends ConfigSources {
  /** The path of the user's file if no other was named. */
  readonly usual: string;
  readonly yaml: PolicyText | undefined;
}

function configFor(given: Given, root: string | undefined): GuardConfig {
  const { flags, env, baseDir, usual, yaml } = given;
  const file = yaml?.file;
  const inRoot = root === undefined ? undefined : configAt(join(root, CONFIG_FILE));
  // The user named this file with --config, so it counts as the user's own although it is in the project.
  const projectFile = inRoot !== undefined && file !== undefined && isSame(inRoot, file) ? undefined : inRoot;
  const loaded = loadPolicy({
    ...(flags && { flags }),
    env,
    yaml,
    project: textOf(projectFile),
    privateTemporary: privateTemporary(baseDir),
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
}

/** One sentence that says which setting turned the guard off; undefined if it is on. */
export function offNotice({ policy, sources }: LoadedPolicy): string | undefined {
  if (policy.enabled) return undefined;
  const { enabled: source } = sources;
  const by =
    source.kind === 'file' ? `${source.path}:${source.line}` : 'name' in source ? source.name : 'the configuration';
  return `the guard is off (${by}): every call passes`;
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

function configAt(file: string): string | undefined {
  const misnamed = join(dirname(file), MISNAMED_FILE);
  if (isThere(misnamed)) throw new GuardConfigError(misnamed, ` is not read: its name must be ${CONFIG_FILE}`);
  if (!isThere(file)) return undefined;
  // Reading a device, for example through a link, might never end.
  if (!statSync(file).isFile()) throw new GuardConfigError(file, ' cannot be read: not a file');
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

function unreadable(file: string, error: unknown): GuardConfigError {
  return new GuardConfigError(file, ` cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
}
