import type { Enclosure } from '../enclosure.ts';
import type { Dir } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';

/**
 * Where a temporary file may be, best first: in the workspace's root, where the next start looks for what a killed
 * process left behind; beside the target when the root is another file system or not writable.
 */
export function homesFor(enclosure: Enclosure, found: Located): Dir[] {
  const root = enclosure.root.dir;
  return found.path.root === enclosure.root && found.dir !== root ? [root, found.dir] : [found.dir];
}
