import { closeSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { type CheckedPath, type Enclosure, hostPath, isInWorkspace, placeName } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type Dir, statDir } from './dir.ts';
import { isSameMount, mountIdOf, mountPoints } from './mounts.ts';
import { O_NOFOLLOW, O_PATH } from './native.ts';

/** Where mutations end: a place in the workspace, as `locate` found it or as the walk reached it. */
interface MountedPlace {
  readonly path: CheckedPath;
  readonly dir: Dir;
  readonly parts: readonly string[];
}

/**
 * Refuses a directory that was reached across a mount, before anything in it is changed. A place outside the workspace
 * (`restrict: false`) has no mount of its own.
 *
 * @throws WorkspaceError `mounted`, naming the mount
 */
export function requireOwnMount(enclosure: Enclosure, place: MountedPlace): void {
  if (isInWorkspace(enclosure, place.path, place.parts) && !isSameMount(place.dir, enclosure.root.dir))
    throw acrossMount(enclosure, place.path, place.parts);
}

/**
 * Refuses a name that is itself a mount point.
 *
 * @throws WorkspaceError `mounted`
 */
export function requireNoMountPoint(
  enclosure: Enclosure,
  place: MountedPlace & { readonly name: string; readonly at: string; readonly stat: Stats | undefined },
): void {
  const { dir, name, stat } = place;
  if (!stat || stat.isSymbolicLink() || name === '.') return;
  if (isMountPoint(enclosure, dir, name, place.at, stat)) throw acrossMount(enclosure, place.path, place.parts);
}

function isMountPoint(enclosure: Enclosure, dir: Dir, name: string, at: string, stat: Stats): boolean {
  if (dir.fd < 0) return stat.dev !== statDir(dir).dev;
  const isRoot = enclosure.root.native?.isMountRoot(dir.fd, name);
  if (isRoot !== undefined) return isRoot;
  const fd = openSync(at, O_PATH | O_NOFOLLOW);
  try {
    return mountIdOf(fd) !== mountIdOf(dir.fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Refuses to move or delete a directory with a mount below it: a rename would carry the mount along.
 *
 * @throws WorkspaceError `mounted`, naming the mount
 */
export function requireNoMountBelow(
  enclosure: Enclosure,
  place: MountedPlace & { readonly name: string; readonly stat: Stats | undefined },
): void {
  if (!place.stat?.isDirectory() || place.dir.fd < 0) return;
  const above = `${readlinkSync(place.dir.self)}/${place.name}/`.replace('//', '/');
  const mount = mountPoints().find((point) => point.startsWith(above));
  if (mount === undefined) return;
  const parts = [...place.parts, ...mount.slice(above.length).split('/')];
  throw new WorkspaceError(
    'mounted',
    `Cannot move or delete ${place.path.written}: it contains the mount ${placeName(enclosure, place.path, parts)}. ` +
      'Move or delete the other entries one by one.',
  );
}

/** Names the outermost mount between the workspace's root and the place. */
function acrossMount(enclosure: Enclosure, path: CheckedPath, parts: readonly string[]): WorkspaceError {
  const points = new Set(mountPoints());
  const own = enclosure.root.path.split('/').filter(Boolean).length;
  const first = path.root === enclosure.ambient ? own + 1 : 1;
  const lengths = Array.from({ length: Math.max(0, parts.length - first + 1) }, (_, i) => first + i);
  const length = lengths.find((end) => points.has(hostPath(path.root, parts.slice(0, end)))) ?? parts.length;
  const mount = placeName(enclosure, path, parts.slice(0, length));
  return new WorkspaceError(
    'mounted',
    `Cannot change ${path.written}: ${mount} is a mount of another directory or file system. It can be read, not changed.`,
  );
}
