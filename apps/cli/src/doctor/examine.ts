import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, release } from 'node:os';
import { join, resolve } from 'node:path';
import { policyFor } from '@croft/guard/judging';
import { autoLogin, bestResolver, croftBaseDir, DEFAULT_LIMITS, type ResolverKind } from '@croft/workspace';
import {
  type ConfigSource,
  configName,
  isSecretSetting,
  type LoadedConfig,
  loadConfig,
  type SettingName,
} from '../compose/config.ts';
import { guardConfigOf, guardRoot } from '../compose/guard.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { examineBaseDir } from './base-dir.ts';
import { examineNamespace } from './namespace.ts';
import type { DoctorReport, Examined, Finding, GuardReport, SettingReport } from './report.ts';
import { examineHooks } from './hooks.ts';
import { examineServer } from './server.ts';
import { examineSecondWall, type Restart } from './second-wall-trial.ts';
import { activeWorkspaces, examineDirectory } from './workspaces.ts';

const GUARANTEES: Readonly<Record<ResolverKind, string>> = {
  openat2: 'the kernel keeps every path inside; race-free',
  walk: 'Croft opens each component from the one before and follows links itself; race-free, slower than openat2',
  portable: 'Croft checks paths before and after each operation; not race-free, not tested here',
};

/** Examines this machine and this installation. Changes nothing, and leaves this process unrestricted. */
export async function examine(
  dir: string | undefined,
  restart: Restart,
  env: NodeJS.ProcessEnv,
  user?: string,
): Promise<DoctorReport> {
  const config = await examineConfig(env);
  const baseDir = config.report?.values.baseDir ?? croftBaseDir(env);
  const koffi = koffiVersion();
  const resolver = examineResolver(koffi);
  const wall = await examineSecondWall(restart, env);
  const base = examineBaseDir(baseDir);
  const server = await examineServer(baseDir);
  const namespace = await examineNamespace(baseDir, config.report?.values.autoLogin ?? autoLogin(env), user);
  const directory = dir === undefined ? undefined : examineDirectory(dir, baseDir);
  const guard = examineGuard(dir ?? process.cwd(), env);
  // A base directory that cannot be used is the cause of the other, and is said once.
  const files = base.problems.length > 0 ? [] : [namespace];
  const home = (process.platform === 'win32' ? undefined : env.HOME) || homedir();
  const hooks = examineHooks({ platform: process.platform, home, env, cwd: resolve(dir ?? process.cwd()) }, baseDir);
  const policy = withoutRepeats(guard, config.problems);
  const parts = [config, resolver, wall, base, server, ...files, policy, hooks, ...(directory ? [directory] : [])];
  const problems = parts.flatMap((part) => part.problems);
  return {
    ok: problems.length === 0,
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    resolver: { kind: resolver.report, guarantee: GUARANTEES[resolver.report] },
    koffi: koffi ?? null,
    secondWall: wall.report,
    baseDir: base.report,
    server: server.report ?? null,
    namespace: namespace.report,
    configuration: config.report ? settingsOf(config.report) : [],
    configFile: config.report?.file ?? configFileIn(baseDir),
    ...(guard.report && { guard: guard.report }),
    hooks: hooks.report,
    limits: DEFAULT_LIMITS,
    ...(directory?.report && { directory: directory.report }),
    workspaces: activeWorkspaces(baseDir),
    problems,
    notes: parts.flatMap((part) => part.notes),
  };
}

async function examineConfig(env: NodeJS.ProcessEnv): Promise<Examined<LoadedConfig | undefined>> {
  try {
    return { report: await loadConfig({}, { env }), problems: [], notes: [] };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      report: undefined,
      problems: [
        {
          what: error.message,
          advice: 'Correct it: croft serve does not start before, and croft guard may not either',
        },
      ],
      notes: [],
    };
  }
}

function examineGuard(dir: string, env: NodeJS.ProcessEnv): Examined<GuardReport | undefined> {
  try {
    const root = guardRoot({}, false, dir);
    const { file, projectFile, policy, notices } = guardConfigOf({}, root, env);
    const { enabled, mode } = policyFor(policy, { project: root });
    return {
      report: { root: root ?? null, file: file ?? null, projectFile: projectFile ?? null, enabled, mode },
      problems: [],
      notes: notices.map((what) => ({ what, advice: 'Correct the named file' })),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const advice = 'Correct it: croft guard does not start before';
    return { report: undefined, problems: [{ what: error.message, advice }], notes: [] };
  }
}

/** The guard reads the same file: one mistake there is one problem. */
function withoutRepeats<T>(guard: Examined<T>, problems: readonly Finding[]): Examined<T> {
  const lines = new Set(problems.map(({ what }) => lineOf(what)));
  const isNew = ({ what }: Finding): boolean => lineOf(what) === undefined || !lines.has(lineOf(what));
  return { ...guard, problems: guard.problems.filter(isNew) };
}

/** The file and line at the start of a message, without the column. */
const lineOf = (what: string): string | undefined => /^(.+?:\d+)(?::\d+)?: /.exec(what)?.[1];

/** For a file that cannot be read as configuration. */
function configFileIn(baseDir: string): string | null {
  const file = join(baseDir, 'croft.config.yaml');
  return existsSync(file) ? file : null;
}

/** Shows that a secret is set, never its value. */
function shownValue(key: SettingName, value: unknown): string | number | boolean {
  if (isSecretSetting(key)) return '(set)';
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

function settingsOf({ values, sources }: LoadedConfig): SettingReport[] {
  const keys = Object.keys(sources) as SettingName[];
  return keys
    .filter((key) => values[key] !== undefined && !(Array.isArray(values[key]) && values[key].length === 0))
    .map((key) => ({
      name: configName(key),
      value: shownValue(key, values[key]),
      source: describeSource(sources[key]),
    }));
}

function describeSource(source: ConfigSource): string {
  if (source.kind === 'file') return `${source.path}:${source.line}`;
  return source.kind === 'flag' ? source.name : source.kind;
}

function examineResolver(koffi: string | undefined): Examined<ResolverKind> {
  const report = bestResolver();
  const notes: Finding[] = [];
  if (process.platform === 'linux' && report === 'portable') {
    notes.push({
      what: '/proc is missing, so paths are only checked before and after each operation',
      advice: 'Mount /proc',
    });
  } else if (process.platform === 'linux' && koffi === undefined) {
    notes.push({
      what: 'koffi is not installed: slower, and without the second sandbox',
      advice: 'Install Croft again without --omit=optional',
    });
  } else if (process.platform === 'linux' && process.env.CROFT_NO_NATIVE) {
    notes.push({
      what: 'CROFT_NO_NATIVE is set: slower, and without the second sandbox',
      advice: 'Unset CROFT_NO_NATIVE',
    });
  } else if (report === 'portable') {
    notes.push({
      what: 'The path resolver is not race-free on this system',
      advice: 'Do not let untrusted programs change the served directories at the same time',
    });
  }
  return { report, problems: [], notes };
}

function koffiVersion(): string | undefined {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as { version?: string };
    return koffi.version ?? 'present';
  } catch {
    return undefined;
  }
}
