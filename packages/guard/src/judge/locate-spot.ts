import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, posix } from 'node:path';
import type { Location, Workspace } from '@croft/workspace';
import type { Spot } from './spot.ts';

/** An open root, and its names. */
export interface HeldRoot {
  readonly workspace: Workspace;
  /** All names of the directory. */
  readonly names: readonly string[];
  readonly isProject: boolean;
}

/** Finds the root that a path is in, under any name of that root. */
export function locateIn(held: readonly HeldRoot[], path: string): Spot {
  const [project] = held as [HeldRoot];
  const isRelative = !isAbsolute(path);
  if (isRelative && !climbs(posix.normalize(path))) {
    const spot = spotOf(project.workspace.locate(path), path, true);
    if (spot.kind !== 'outside') return spot;
  }
  const absolute = isRelative ? `${project.workspace.root}/${path}` : path;
  // Most paths outside are recognised by their text, which is cheaper than asking the disk.
  const normal = posix.normalize(absolute);
  for (const { workspace, names, isProject } of held) {
    if (!names.some((name) => normal === name || normal.startsWith(`${name}/`))) continue;
    const spot = spotOf(workspace.locate(absolute), path, isProject);
    if (spot.kind !== 'outside') return isProject ? spot : inFurther(spot, workspace.root);
  }
  const real = isRelative || isBelowAlias(normal, held) ? realPathOf(absolute) : undefined;
  if (real === undefined) return { kind: 'outside' };
  for (const { workspace, names, isProject } of held) {
    if (!names.some((name) => real === name || real.startsWith(`${name}/`))) continue;
    const spot = spotOf(workspace.locate(real), path, isProject);
    if (spot.kind !== 'outside') return isProject ? spot : inFurther(spot, workspace.root);
  }
  return { kind: 'outside' };
}

function inFurther(spot: Spot, further: string): Spot {
  return spot.kind === 'inside' ? { ...spot, further } : spot;
}

function climbs(normal: string): boolean {
  return normal === '..' || normal.startsWith('../');
}

/** Whether a directory on the way, under any name, is one of the roots or leads into one. */
function isBelowAlias(path: string, held: readonly HeldRoot[]): boolean {
  const ids = held.map(({ names }) => statSync(names[0] as string, { throwIfNoEntry: false }));
  const parts = path.split('/').filter(Boolean).slice(0, 64);
  let way = '';
  for (const part of parts) {
    way += `/${part}`;
    let stat: Stats | undefined;
    try {
      stat = statSync(way, { throwIfNoEntry: false });
    } catch {
      return false;
    }
    if (stat === undefined) return false;
    if (ids.some((id) => id?.dev === stat.dev && id.ino === stat.ino)) return true;
  }
  return false;
}

function spotOf(found: Location, written: string, isProject: boolean): Spot {
  if (found.inside) {
    const { path, isHardLinked } = found;
    return { kind: 'inside', path, isRoot: path === '.', isProject, ...(isHardLinked ? { isHardLinked } : {}) };
  }
  switch (found.error.code) {
    case 'not_directory':
    case 'not_found':
      // Nothing can be written there; the resolver found that the path does not leave the root.
      return { kind: 'inside', path: posix.normalize(written), isRoot: false, isProject };
    case 'outside':
    case 'link_outside':
      return { kind: 'outside' };
    case 'invalid':
    case 'denied':
      return { kind: 'invalid', reason: found.error.message };
    case 'unavailable':
      throw found.error;
    default:
      return { kind: 'invalid', reason: 'it cannot be resolved' };
  }
}

/**
 * Resolves another name of a root (`/tmp` for `/private/tmp`, a home directory behind a link) to the real path, which
 * the resolver then judges again. Undefined if the result is not certain: below a missing directory, through a dangling
 * link, or with `..` left.
 */
export function realPathOf(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > 64) return undefined;
  for (let count = parts.length; count > 0; count--) {
    const head = `/${parts.slice(0, count).join('/')}`;
    const rest = parts.slice(count);
    try {
      return [realpathSync.native(head), ...rest].join('/');
    } catch {
      // Writing through a dangling link would create its target.
      if (parts[count - 1] === '..' || isThere(head)) return undefined;
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ENOENT' && (error as { code?: string }).code !== 'ENOTDIR';
  }
}
