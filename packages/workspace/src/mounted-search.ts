import { type Mount, named, type Place } from './mounted-place.ts';
import { checkGlob, type GrepOptions, type SearchOptions } from './operations/search.ts';
import { compileGlob, expandBraces } from './search/glob-pattern.ts';

/** Finds names in one mount, or in all mounts: one search per mount if a single pattern can express it. */
export async function globAll(
  mounts: readonly Mount[],
  pattern: string,
  options: SearchOptions = {},
  found: Place | undefined,
) {
  const chosen = found ? [found] : mounts.map((mount) => ({ ...mount, rest: '.' }));
  const limits = (mounts[0] as Mount).workspace.limits;
  const braces = options.braces ?? false;
  checkGlob(pattern, limits);
  const results = await Promise.all(
    chosen.flatMap(({ workspace, name, rest }) => {
      const asked = found ? [pattern] : patternsBelow(pattern, name, braces);
      const patterns = inOne(asked, limits.grepPatternChars);
      return patterns.map(async (one) => {
        const { matches, truncated, truncatedBranches, stoppedAfterMs } = await workspace.glob(one, {
          ...options,
          path: rest,
          braces: braces || patterns !== asked,
        });
        const prefix = (path: string) => `${name}/${path}`;
        return { matches: matches.map(prefix), truncated, branches: truncatedBranches.map(prefix), stoppedAfterMs };
      });
    }),
  );
  const limit = limits.globResults;
  const isName = compileGlob(pattern, { braces }).matches;
  const tops = found ? [] : mounts.map(({ name }) => name).filter(isName);
  const matches = [...new Set([...tops, ...results.flatMap((result) => result.matches)])].sort();
  return {
    matches: matches.slice(0, limit),
    truncated: matches.length > limit || results.some((result) => result.truncated),
    stoppedAfterMs: results.find((result) => result.stoppedAfterMs !== undefined)?.stoppedAfterMs,
    truncatedBranches: [
      ...new Set([
        ...results.flatMap((r) => r.branches),
        ...matches.slice(limit).map((path) => path.split('/')[0] as string),
      ]),
    ].sort(),
  };
}

/** The part of a pattern over all workspaces that applies to the one called `name`. */
function patternsBelow(pattern: string, name: string, braces: boolean): string[] {
  const alternatives = braces ? expandBraces(pattern) : [pattern];
  return alternatives.flatMap((one) => {
    const [first, ...rest] = one.split('/').filter((part) => part !== '' && part !== '.');
    // `**` matches any number of components, and the name may be the first of those that follow it.
    if (first === '**') {
      const next = rest.findIndex((part) => part !== '**');
      return [one, ...(next < 0 ? [] : patternsBelow(rest.slice(next).join('/'), name, false))];
    }
    if (first === undefined || rest.length === 0) return [];
    return compileGlob(first).matches(name) ? [rest.join('/')] : [];
  });
}

/**
 * Joins several patterns into one with alternatives; unchanged if braces would change the meaning or the result is too
 * long.
 */
function inOne(patterns: string[], maxChars: number): string[] {
  if (patterns.length < 2) return patterns;
  const one = `{${patterns.join(',')}}`;
  const isSame = one.length <= maxChars && expandBraces(one).join('\n') === patterns.join('\n');
  return isSame ? [one] : patterns;
}

/** Searches contents in one mount, or in all mounts one after another until there are enough matches. */
export async function grepAll(mounts: readonly Mount[], options: GrepOptions, found: Place | undefined) {
  const chosen = found ? [found] : mounts.map((mount) => ({ ...mount, rest: '.' }));
  const max =
    options.maxMatches ??
    (options.outputMode === 'content' ? (mounts[0]?.workspace.limits.grepLines ?? 250) : Number.MAX_SAFE_INTEGER);
  const all = {
    kind: 'grep' as const,
    matches: [] as { path: string }[],
    truncated: false,
    filesSearched: 0,
    skipped: 0,
    stoppedAfterMs: undefined as number | undefined,
  };
  for (const { workspace, name, rest } of chosen) {
    const room = max - all.matches.length;
    const one = await named(options.path ?? rest, { workspace, name, rest }, () =>
      workspace.grep({ ...options, path: rest, maxMatches: Math.max(1, room) }),
    );
    const prefixed = one.matches.map((match) => ({ ...match, path: `${name}/${match.path}` }));
    all.matches.push(...prefixed.slice(0, Math.max(0, room)));
    all.truncated ||= one.truncated || prefixed.length > room;
    all.filesSearched += one.filesSearched;
    all.skipped += one.skipped;
    all.stoppedAfterMs = one.stoppedAfterMs;
    if (all.truncated) break;
  }
  return all;
}
