import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path';

/** Files and directories that mark the top of a project: those of llm-interactive-proxy and a few more. */
const MARKERS: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'pyproject.toml',
  'setup.py',
  'package.json',
  'pnpm-workspace.yaml',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  'go.work',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'Package.swift',
  'CMakeLists.txt',
  'WORKSPACE',
  'MODULE.bazel',
  'flake.nix',
];
/** Markers with an arbitrary name and a fixed extension. */
const MARKER_ENDINGS: readonly string[] = ['.sln', '.slnx'];
/** Markers of version control systems. They take precedence over a package inside the repository. */
const REPOSITORY_MARKERS: readonly string[] = ['.git', '.hg', '.svn', '.jj'];
/** The parent directories of home directories. */
const HOMES: readonly string[] = ['/home', '/Users', '/export/home'];
/** A directory with more entries is not searched for `*.sln`. */
const MAX_ENTRIES = 10_000;

/** Replaces facts about the machine in tests. */
export interface RootSurroundings {
  readonly home?: string;
}

/**
 * The project root for a working directory: the nearest directory at or above it that a version control system marks,
 * else the nearest with any other marker. A `.git` file (a worktree, a submodule) counts like the directory. Never the
 * home directory or one above it, the root of a disk, or the root of a mount. Undefined if there is none; then no tool
 * call passes.
 */
export function detectRoot(cwd: string, surroundings: RootSurroundings = {}): string | undefined {
  const dirs = candidatesFrom(cwd, surroundings);
  return dirs.find((dir) => has(dir, REPOSITORY_MARKERS)) ?? dirs.find(isMarked);
}

/**
 * The directories that `allow_parent_access` adds to a root: the outermost directory above it with a project marker,
 * strictly below the home directory (or, outside of it, below the disk's root); without any, the parent. Empty if that
 * would be the home directory or one above it, the root of a disk or of a mount.
 */
export function parentRoots(root: string, surroundings: RootSurroundings = {}): readonly string[] {
  const above = candidatesFrom(dirname(realOf(root) ?? root), surroundings);
  const chosen = above.findLast(isMarked) ?? above[0];
  return chosen === undefined || chosen === root ? [] : [chosen];
}

/**
 * Whether a directory may be a root: it exists, and is not a home directory, above one, or the root of a disk or a
 * mount.
 */
export function isUsableRoot(dir: string, surroundings: RootSurroundings = {}): boolean {
  return candidatesFrom(dir, surroundings).length > 0;
}

/** The directory and its parents that may be a root, the nearest first. */
function candidatesFrom(start: string, { home = homedir() }: RootSurroundings): readonly string[] {
  const first = realOf(start);
  if (first === undefined) return [];
  const realHome = realOf(home) ?? home;
  const dirs: string[] = [];
  for (let dir = first; !isTooHigh(dir, realHome); dir = dirname(dir)) dirs.push(dir);
  return dirs;
}

function isTooHigh(dir: string, home: string): boolean {
  return parse(dir).root === dir || isAtOrAbove(dir, home) || isHome(dir) || isMountRoot(dir);
}

/** Whether the directory is a home directory, or the parent of all of them. */
function isHome(dir: string): boolean {
  return HOMES.includes(dir) || HOMES.includes(dirname(dir));
}

function isAtOrAbove(dir: string, other: string): boolean {
  const way = relative(dir, other);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether the directory is on another device than its parent: the root of a mounted disk is not a project. */
function isMountRoot(dir: string): boolean {
  try {
    return statSync(dir).dev !== statSync(dirname(dir)).dev;
  } catch {
    return true;
  }
}

function isMarked(dir: string): boolean {
  if (has(dir, MARKERS)) return true;
  try {
    const names = readdirSync(dir);
    return names.length <= MAX_ENTRIES && names.some((name) => MARKER_ENDINGS.some((ending) => name.endsWith(ending)));
  } catch {
    return false;
  }
}

function has(dir: string, names: readonly string[]): boolean {
  return names.some((name) => existsSync(join(dir, name)));
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
