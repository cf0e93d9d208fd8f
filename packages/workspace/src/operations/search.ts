import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { locate } from '../resolve/locate.ts';
import { climbs } from '../search/glob-pattern.ts';
import { checkPattern } from '../search/line-matcher.ts';
import type { GlobOutcome, GrepMatch, GrepOutputMode } from '../search/search-request.ts';
import type { LineRule } from '../text/lines.ts';
import { runInWorker, type WorkerOptions } from './run-in-worker.ts';

export interface SearchOptions extends WorkerOptions {
  /** `{a,b}` in globs. */
  readonly braces?: boolean;
}

export interface GrepOptions extends SearchOptions {
  readonly pattern: string;
  readonly isRegex?: boolean;
  /** Refuse patterns that nest unbounded repeats, as a contract of tools demands. */
  readonly refusesNested?: boolean;
  readonly caseInsensitive?: boolean;
  readonly glob?: string | undefined;
  readonly outputMode?: GrepOutputMode;
  readonly anySize?: boolean;
  readonly maxMatches?: number;
  readonly maxLineChars?: number;
  /** How to count lines; give the rule of the tool that reads the files. */
  readonly lineRule?: LineRule;
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
  /** Files and directories that this process may not read. */
  readonly skipped: number;
  /** The deadline that ended the search, if one did. `matches` contains the results until then. */
  readonly stoppedAfterMs?: number | undefined;
}

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
  const outcome = (await runInWorker(enclosure, options, true, (scope) => ({
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
  checkPattern(pattern, limits, options.refusesNested ?? false);
  if ((options.glob?.length ?? 0) > limits.grepPatternChars)
    throw new WorkspaceError('invalid', `Glob exceeds ${limits.grepPatternChars} chars`);
  const outputMode = options.outputMode ?? 'files_with_matches';
  const outcome = await runInWorker(enclosure, options, false, (scope) => ({
    kind: 'grep',
    scope,
    ...pattern,
    glob: options.glob || undefined,
    braces: options.braces ?? false,
    outputMode,
    anySize: options.anySize ?? false,
    maxMatches: options.maxMatches ?? (outputMode === 'content' ? limits.grepLines : Number.MAX_SAFE_INTEGER),
    maxLineChars: options.maxLineChars ?? Number.MAX_SAFE_INTEGER,
    lineRule: options.lineRule ?? 'newline',
    maxRegexLines: options.anySize ? Number.MAX_SAFE_INTEGER : limits.grepRegexLinesPerFile,
  }));
  if (outcome.kind !== 'grep') throw new WorkspaceError('io', 'The search failed');
  return outcome.stoppedAfterMs === undefined ? outcome : { ...outcome, truncated: true };
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
