import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { sameFile } from './resolve/dir.ts';

/** Croft's own base directory, with what a workspace needs to keep it out of reach. */
export interface BaseDirectory {
  /** Its real path. */
  readonly path: string;
  /** Host paths that do not exist for callers: as given, real, and every link on the way from one to the other. */
  readonly masks: readonly string[];
  /** Paths that must not move, so that the given path keeps leading there: the masks and every directory on the way. */
  readonly pins: readonly string[];
  /** Whether the base directory is inside the workspace, so that no name in it can be trusted to be what it was. */
  readonly isInside: boolean;
  /** Whether a directory is the base directory itself, under any name. */
  is(stat: Identity): boolean;
  /** The identity by which it can be recognised elsewhere; `undefined` while it does not exist. */
  identity(): Identity | undefined;
}

/** The parts of a directory's stat that do not change with its name. */
export interface Identity {
  readonly dev: number;
  readonly ino: number;
}

const MAX_LINKS = 40;

/**
 * Finds the base directory from a workspace.
 *
 * @param given as configured; it need not exist
 * @param root the workspace's real path
 */
export function baseDirectoryOf(given: string, root: string): BaseDirectory {
  const way = resolveWay(resolve(given));
  const seen = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => [path, ...mountedNames(path, root)]))];
  const masks = seen(way.masks);
  let known: Stats | undefined;
  // The base directory may be created after the workspace was opened.
  const identity = () => (known ??= statOf(way.real));
  return {
    path: way.real,
    masks,
    pins: [...new Set([...masks, ...seen(way.passed)])],
    isInside: masks.some((mask) => mask.startsWith(root === parse(root).root ? root : join(root, '/'))),
    is: (stat) => isSame(identity(), stat),
    identity() {
      const stat = identity();
      return stat && { dev: stat.dev, ino: stat.ino };
    },
  };
}

/** Whether the name at `at` is the base directory itself, as a bind mount or a rename can give it any name. */
export function isBaseAt(base: Pick<BaseDirectory, 'is'> | undefined, at: string): boolean {
  if (base === undefined) return false;
  try {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    return stat !== undefined && base.is(stat);
  } catch {
    // An entry that cannot be inspected cannot be entered.
    return false;
  }
}

/** Follows `given` as the kernel would and records the links and directories on the way. */
function resolveWay(given: string): { real: string; masks: string[]; passed: string[] } {
  const top = parse(given).root;
  const masks = [given];
  const passed: string[] = [];
  const split = (path: string) => path.split(process.platform === 'win32' ? /[\\/]/ : '/').filter(Boolean);
  const todo = split(given.slice(top.length)).reverse();
  let real = top;
  for (let links = 0; todo.length > 0; ) {
    const part = todo.pop() as string;
    if (part === '.') continue;
    if (part === '..') {
      real = dirname(real);
      continue;
    }
    const at = join(real, part);
    const target = links < MAX_LINKS ? linkTarget(at) : undefined;
    if (target === undefined) {
      real = at;
      passed.push(at);
      continue;
    }
    links++;
    masks.push(at);
    if (isAbsolute(target)) real = parse(target).root;
    todo.push(...split(target.slice(isAbsolute(target) ? parse(target).root.length : 0)).reverse());
  }
  return { real, masks: [...masks, real], passed };
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Not a link, or missing.
    return undefined;
  }
}

/** The names of `path` in a workspace that is another mount of a directory above it. */
function mountedNames(path: string, root: string): string[] {
  const own = statOf(root);
  const names: string[] = [];
  for (let above = path; ; above = dirname(above)) {
    if (above !== root && own && isSame(statOf(above), own)) names.push(join(root, path.slice(above.length)));
    if (above === dirname(above)) return names;
  }
}

function isSame(stat: Stats | undefined, other: Identity): boolean {
  return stat !== undefined && sameFile(stat, other);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // This process cannot reach it either.
    return undefined;
  }
}
