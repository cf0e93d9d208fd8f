import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { statDir } from '../resolve/dir.ts';
import { locate } from '../resolve/locate.ts';
import { climbs } from '../search/glob-pattern.ts';
import { checkPattern, mayBacktrack } from '../search/line-matcher.ts';
import { BaseMoved } from '../search/run-search.ts';
import type {
  GlobOutcome,
  GrepMatch,
  GrepOutputMode,
  SearchOutcome,
  SearchRequest,
  SearchScope,
} from '../search/search-request.ts';
import { searchInWorker } from '../search/worker-pool.ts';

export interface SearchOptions {
  readonly path?: string | undefined;
  /** `{a,b}` in globs. */
  readonly braces?: boolean;
  /** Leave out what `.gitignore` files name. */
  readonly gitignore?: boolean;
  /** Names left out beside those of the workspace's own ignore list. */
  readonly excludeNames?: ReadonlySet<string>;
  /** The caller: the searches of one workspace are served in turns of its callers. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((filesSeen: number) => void) | undefined;
}

export interface GrepOptions extends SearchOptions {
  readonly pattern: string;
  readonly isRegex?: boolean;
  readonly caseInsensitive?: boolean;
  readonly glob?: string | undefined;
  readonly outputMode?: GrepOutputMode;
  readonly anySize?: boolean;
  readonly maxMatches?: number;
  readonly maxLineChars?: number;
}

/** Paths are below the workspace, with `/`, sorted. */
export interface GlobResult {
  readonly matches: readonly string[];
  readonly truncated: boolean;
  /** First components of the matches left out. */
  readonly truncatedBranches: readonly string[];
  /** The deadline that ended the search, if one did. `matches` contains the results until then. */
  readonly stoppedAfterMs?: number | undefined;
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
  readonly filesSearched: number;
  /** The deadline that ended the search, if one did. `matches` contains the results until then. */
  readonly stoppedAfterMs?: number | undefined;
}

/** How often a search starts again because its directory was replaced. */
const MAX_RESTARTS = 50;

/** @throws WorkspaceError `invalid` for a pattern no search takes */
export function checkGlob(pattern: string, limits: Limits): void {
  if (pattern.trim() === '') throw new WorkspaceError('invalid', 'Pattern must not be empty');
  if (climbs(pattern))
    throw new WorkspaceError('invalid', "Pattern must not contain '..' (path traversal not allowed)");
  if (pattern.includes('\0')) throw new WorkspaceError('invalid', 'Pattern contains NUL byte');
  if (pattern.length > limits.grepPatternChars)
    throw new WorkspaceError('invalid', `Pattern exceeds ${limits.grepPatternChars} chars`);
  if (pattern.startsWith('/'))
    throw new WorkspaceError('invalid', 'Pattern must be relative; use path to search below a directory');
}

/**
 * Finds files and directories by name. At most 1,000 are collected and 100 returned.
 *
 * @throws WorkspaceError `invalid` (pattern), `not_directory`, `cancelled`, `deadline`, and those of `locate`
 */
export async function globFiles(
  enclosure: Enclosure,
  pattern: string,
  options: SearchOptions = {},
): Promise<GlobResult> {
  checkGlob(pattern, enclosure.limits);
  const outcome = (await search(enclosure, options, true, (scope) => ({
    kind: 'glob',
    scope,
    pattern,
    braces: options.braces ?? false,
  }))) as GlobOutcome;
  const dropped = new Set(outcome.links.filter((path) => leadsAway(enclosure, path)));
  const sorted = outcome.matches.filter((path) => !dropped.has(path)).sort();
  const limit = enclosure.limits.globResults;
  const omitted = sorted.slice(limit);
  return {
    matches: sorted.slice(0, limit),
    truncated: omitted.length > 0 || outcome.ceiling || outcome.stoppedAfterMs !== undefined,
    truncatedBranches: [...new Set(omitted.map((path) => path.split('/')[0] as string))].sort(),
    ...(outcome.stoppedAfterMs !== undefined && { stoppedAfterMs: outcome.stoppedAfterMs }),
  };
}

/**
 * Searches contents, line by line. Binary, unreadable and oversized files are left out.
 *
 * @throws WorkspaceError `invalid` (pattern), `not_found`, `cancelled`, `deadline`, and those of `locate`
 */
export async function grepFiles(enclosure: Enclosure, options: GrepOptions): Promise<GrepResult> {
  const { limits } = enclosure;
  const pattern = {
    pattern: options.pattern,
    isRegex: options.isRegex ?? false,
    caseInsensitive: options.caseInsensitive ?? false,
  };
  checkPattern(pattern, limits);
  if ((options.glob?.length ?? 0) > limits.grepPatternChars)
    throw new WorkspaceError('invalid', `Glob exceeds ${limits.grepPatternChars} chars`);
  const outputMode = options.outputMode ?? 'files_with_matches';
  const outcome = await search(enclosure, options, false, (scope) => ({
    kind: 'grep',
    scope,
    ...pattern,
    glob: options.glob || undefined,
    braces: options.braces ?? false,
    outputMode,
    anySize: options.anySize ?? false,
    maxMatches: options.maxMatches ?? (outputMode === 'content' ? limits.grepLines : Number.MAX_SAFE_INTEGER),
    maxLineChars: options.maxLineChars ?? Number.MAX_SAFE_INTEGER,
    maxRegexLines: options.anySize ? Number.MAX_SAFE_INTEGER : limits.grepRegexLinesPerFile,
  }));
  if (outcome.kind !== 'grep') throw new WorkspaceError('io', 'The search failed');
  return outcome.stoppedAfterMs === undefined ? outcome : { ...outcome, truncated: true };
}

async function search(
  enclosure: Enclosure,
  options: SearchOptions,
  directoryOnly: boolean,
  request: (scope: SearchScope) => SearchRequest,
): Promise<SearchOutcome> {
  for (let restart = 0; ; restart++) {
    const { scope, root } = scopeOf(enclosure, options, directoryOnly);
    const stat = statDir(root.dir);
    const toRun = request(scope);
    const isBacktracking = toRun.kind === 'grep' && mayBacktrack(toRun);
    try {
      const outcome = await searchInWorker(
        { path: root.path, dev: stat.dev, ino: stat.ino, resolver: root.kind },
        toRun,
        {
          signal: options.signal,
          owner: { workspace: `${stat.dev}:${stat.ino}`, caller: options.caller ?? '' },
          timeoutMs: enclosure.limits.searchTimeoutMs,
          ...(isBacktracking && { runMs: enclosure.limits.backtrackTimeoutMs }),
          onProgress: options.onProgress,
        },
      );
      return enclosure.ambient ? fromAmbient(enclosure, outcome) : outcome;
    } catch (error) {
      if (!(error instanceof BaseMoved)) throw error;
      if (restart >= MAX_RESTARTS) throw new WorkspaceError('io', 'The searched directory keeps changing; try again');
    }
  }
}

/** Whether a link's target is outside or protected: such a link is not reported as a match. */
function leadsAway(enclosure: Enclosure, path: string): boolean {
  try {
    locate(enclosure, path).close();
    return false;
  } catch (error) {
    return (
      error instanceof WorkspaceError &&
      (error.code === 'link_outside' || error.code === 'outside' || error.code === 'denied')
    );
  }
}

/** With `restrict: false` a search starts at the file system's root: its paths are named from the workspace again. */
function fromAmbient(enclosure: Enclosure, outcome: SearchOutcome): SearchOutcome {
  const above = `${enclosure.root.path.slice(1)}/`;
  const named = (path: string) => (path.startsWith(above) ? path.slice(above.length) : `/${path}`);
  return outcome.kind === 'glob'
    ? { ...outcome, matches: outcome.matches.map(named), links: outcome.links.map(named) }
    : { ...outcome, matches: outcome.matches.map((match) => ({ ...match, path: named(match.path) })) };
}

/**
 * Resolves the search's start through the same resolver as every operation; the worker then walks the resulting real
 * components.
 */
function scopeOf(enclosure: Enclosure, options: SearchOptions, directoryOnly: boolean) {
  const path = options.path || '.';
  const found = locate(enclosure, path);
  try {
    if (!found.stat) throw new WorkspaceError('not_found', `Path does not exist: ${path}`);
    const isDirectory = found.stat.isDirectory();
    if (!isDirectory && !directoryOnly && !found.stat.isFile())
      throw new WorkspaceError('not_regular', `Not a regular file: ${path}`);
    if (!isDirectory && directoryOnly)
      throw new WorkspaceError('not_directory', `Base path is not a directory: ${path}`);
    const root = found.path.root;
    const rootPrefix = root.path === '/' ? '/' : `${root.path}/`;
    const scope: SearchScope = {
      parts: isDirectory ? found.parts : found.parts.slice(0, -1),
      ...(!isDirectory && { onlyFile: found.parts.at(-1) as string }),
      denyList: enclosure.denyList,
      ignoreNames: [...enclosure.ignoreNames, ...(options.excludeNames ?? [])],
      gitignore: options.gitignore ?? false,
      masks: enclosure.masks.filter((mask) => mask.startsWith(rootPrefix)).map((mask) => mask.slice(rootPrefix.length)),
      base: enclosure.base?.identity(),
      limits: enclosure.limits,
    };
    return { scope, root };
  } finally {
    found.close();
  }
}
