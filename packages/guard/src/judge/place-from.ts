import { isAbsolute, join } from 'node:path';
import type { Place } from './spot.ts';

/**
 * A view of a place for an agent that works in another directory than the root: relative paths start there. Everything
 * else is unchanged, and closing the view closes the place.
 */
export function placeFrom(place: Place, cwd: string): Place {
  if (place.root === undefined || !isAbsolute(cwd) || place.roots.includes(cwd)) return place;
  const from = (path: string): string => (isAbsolute(path) ? path : join(cwd, path));
  const { isDirectory, isFile } = place;
  return {
    ...place,
    locate: (path) => place.locate(from(path)),
    isDirectory: isDirectory && ((path) => isDirectory(from(path))),
    isFile: isFile && ((path) => isFile(from(path))),
  };
}
