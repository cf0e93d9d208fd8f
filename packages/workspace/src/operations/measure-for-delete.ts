import { lstatSync } from 'node:fs';
import { isBaseAt } from '../base-directory.ts';
import { deniedName } from '../deny-list.ts';
import { type Enclosure, escapes } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { quoted, reservedSegment } from '../names.ts';
import type { Pace } from '../pace.ts';
import type { Located } from '../resolve/locate.ts';
import { isTempName } from '../temp-name.ts';
import { visitInSlices } from '../visit-in-slices.ts';

/** Counts the content of a directory. Refuses protected files in it: an agent may not delete them directly either. */
export async function measureForDelete(
  enclosure: Enclosure,
  found: Located,
  recursive: boolean,
  pace: Pace,
): Promise<{ bytes: number; entries: number }> {
  const total = { bytes: 0, entries: 0 };
  const written = found.path.written;
  const { denyList } = enclosure;
  const visiting = { maxDepth: enclosure.limits.maxDepth, denyList: false, showReserved: true, pace } as const;
  const { tooDeep } = await visitInSlices(found.at, visiting, (entry) => {
    if (!recursive) {
      throw new WorkspaceError(
        'not_empty',
        `Directory is not empty: ${written}. Pass recursive=true to delete it with its content.`,
      );
    }
    if ((reservedSegment(entry.name) && !isTempName(entry.name)) || (denyList && deniedName(entry.name, denyList))) {
      throw new WorkspaceError('denied', `Refusing to delete ${written}: it contains protected ${quoted(entry.name)}`);
    }
    if (entry.type === 'directory' && isBaseAt(enclosure.base, entry.at)) throw escapes(written);
    if (++total.entries > enclosure.limits.maxTreeEntries) {
      throw new WorkspaceError(
        'too_large',
        `Directory has more than ${enclosure.limits.maxTreeEntries} entries: ${written}`,
      );
    }
    if (entry.type === 'file') total.bytes += lstatSync(entry.at, { throwIfNoEntry: false })?.size ?? 0;
  });
  // Deeper entries were not checked, and might be protected.
  if (tooDeep) {
    throw new WorkspaceError(
      'too_large',
      `Directory is nested more than ${enclosure.limits.maxDepth} levels: ${written}. Delete an inner directory first.`,
    );
  }
  return total;
}
