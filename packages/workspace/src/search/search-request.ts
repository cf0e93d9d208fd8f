import type { Identity } from '../base-directory.ts';
import type { DenyList } from '../deny-list.ts';
import type { Limits } from '../limits.ts';
import type { LineRule } from '../text/lines.ts';
import type { EntryType } from '../visit-tree.ts';
import type { LinePattern } from './pattern-source.ts';
import type { Placed } from './list-order.ts';

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
  /** How to count lines: as the tool that reads them counts. */
  readonly lineRule: LineRule;
  /** Lines of a file a regular expression is tried on. */
  readonly maxRegexLines: number;
}

export type ListSort = 'name' | 'size' | 'modified';

/** One page of one directory. */
export interface ListRequest {
  readonly kind: 'list';
  readonly scope: SearchScope;
  readonly sort: ListSort;
  readonly descending: boolean;
  /** The last entry of the page before. */
  readonly after: Placed | undefined;
  readonly limit: number;
  /** Names of directories elsewhere, shown in the place of what is here. */
  readonly mounted: readonly string[];
}

export type SearchRequest = GlobRequest | GrepRequest | ListRequest;

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
  /** Files and directories that this process may not read. */
  readonly skipped: number;
  /** The deadline that ended it. It has what was found by then. */
  readonly stoppedAfterMs?: number;
}

/** An entry with its details; they are absent for what is gone, and for mounts. */
export interface ListedDetails {
  readonly name: string;
  readonly type: EntryType;
  readonly sizeBytes?: number;
  readonly modified?: string;
}

export interface ListOutcome {
  readonly kind: 'list';
  readonly entries: readonly ListedDetails[];
  readonly total: number;
  /** Where this page ends; absent if it is the last. */
  readonly last?: Placed;
  readonly stoppedAfterMs?: number;
}

export type SearchOutcome = GlobOutcome | GrepOutcome | ListOutcome;
