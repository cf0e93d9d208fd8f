import type { Identity } from '../base-directory.ts';
import type { DenyList } from '../deny-list.ts';
import type { Limits } from '../limits.ts';
import type { LinePattern } from './line-matcher.ts';

/** Where a search runs and what it leaves out; plain data, so that it can be posted to a worker. */
export interface SearchScope {
  /** The directory to search, or the directory of the one file, as real components below the root. */
  readonly parts: readonly string[];
  /** Search this one file of the directory only. */
  readonly onlyFile?: string;
  readonly denyList: DenyList;
  readonly ignoreNames: readonly string[];
  /** Honour `.gitignore` files from the workspace's root down. */
  readonly gitignore: boolean;
  /** Paths below the root that do not exist for the caller. */
  readonly masks: readonly string[];
  /** Croft's own base directory, which may be met under a name that no mask has. */
  readonly base?: Identity | undefined;
  readonly limits: Limits;
}

/** A search by name. */
export interface GlobRequest {
  readonly kind: 'glob';
  readonly scope: SearchScope;
  readonly pattern: string;
  readonly braces: boolean;
}

export type GrepOutputMode = 'files_with_matches' | 'content' | 'count';

/** A search in contents. */
export interface GrepRequest extends LinePattern {
  readonly kind: 'grep';
  readonly scope: SearchScope;
  readonly glob: string | undefined;
  readonly braces: boolean;
  readonly outputMode: GrepOutputMode;
  /** Also search files above the whole-file limit. */
  readonly anySize: boolean;
  /** Most matching lines (content) or files (other modes). */
  readonly maxMatches: number;
  readonly maxLineChars: number;
  /** Lines of a file a regular expression is tried on. */
  readonly maxRegexLines: number;
}

export type SearchRequest = GlobRequest | GrepRequest;

/** Paths are below the workspace's root, with `/`. */
export interface GlobOutcome {
  readonly kind: 'glob';
  readonly matches: string[];
  /** Those of the matches that are links: the caller resolves them, and drops what leads outside. */
  readonly links: string[];
  /** The scan ceiling or the depth limit was reached: there may be more. */
  readonly ceiling: boolean;
  readonly stoppedAfterMs?: number;
}

export interface GrepMatch {
  readonly path: string;
  readonly lineNumber?: number;
  readonly line?: string;
  readonly count?: number;
}

export interface GrepOutcome {
  readonly kind: 'grep';
  readonly matches: GrepMatch[];
  readonly truncated: boolean;
  readonly filesSearched: number;
  /** The deadline that ended it. It has what was found by then. */
  readonly stoppedAfterMs?: number;
}

export type SearchOutcome = GlobOutcome | GrepOutcome;
