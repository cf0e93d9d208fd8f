import { join } from 'node:path';
import type { PathFinding } from './judge-path.ts';
import type { Place } from './spot.ts';
import { isSameFolded, wildcardTest } from './wildcard.ts';

/** A part of a path with brackets or braces may mean any name. */
export const wildcard = (part: string): ((name: string) => boolean) =>
  /[[\]{}()]/.test(part) ? () => true : wildcardTest(part, isSameFolded);

export const hasWildcard = (part: string): boolean => /[*?[\]{}()]/.test(part);

/** Limit of the directories that one wildcard may make the guard read. */
export const MAX_OPENED = 2_000;

/**
 * Judges the links that a wildcard may lead through, at any depth. Directories that `**` finds below others are read only if
 * the path goes on behind their names: a shell enters no links for `**` itself.
 *
 * @param top the absolute directory before the wildcard
 * @param rest the components from the first wildcard on
 * @returns the first finding that is outside or protected; `too-many` if there are more directories than `MAX_OPENED`
 */
export function judgeLinks(
  top: string,
  rest: readonly string[],
  place: Place,
  judge: (path: string) => PathFinding,
): PathFinding | 'too-many' | undefined {
  const open = [{ dir: top, part: 0, isBehind: false }];
  for (const { dir, part, isBehind } of open) {
    if (open.length > MAX_OPENED) return 'too-many';
    const pattern = rest[part] as string;
    const left = rest.length - part - 1;
    const isDeep = pattern.includes('**') && left > 1;
    if (pattern.includes('**') && left > 0) open.push({ dir, part: part + 1, isBehind });
    const links = new Set(place.linksIn(dir));
    const names = hasWildcard(pattern) ? (place.namesIn?.(dir) ?? [...links]) : [pattern];
    for (const name of names.filter(wildcard(pattern))) {
      const path = join(dir, name);
      const isLink = links.has(name);
      if (isLink || isBehind) {
        const found = judge(path);
        if (found.problem?.rule === 'outside-path' || found.problem?.rule === 'protected-path') return found;
      }
      if (left > 0 && place.isDirectory?.(path) !== false)
        open.push({ dir: path, part: isDeep && !isLink ? part : part + 1, isBehind: isBehind || isLink });
    }
  }
  return undefined;
}
