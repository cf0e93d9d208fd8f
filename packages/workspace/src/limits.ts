/** The bounds of every operation, in bytes, lines, entries or milliseconds as the names say. */
export interface Limits {
  /** Whole-file operations refuse files and contents above this. */
  readonly maxFileBytes: number;
  /** Content handed back by one call; what is cut is said with a way to go on. */
  readonly maxResultBytes: number;
  /** NUL within this many leading bytes means binary. */
  readonly binarySniffBytes: number;
  readonly globResults: number;
  readonly globScanCeiling: number;
  readonly grepLines: number;
  readonly grepPatternChars: number;
  readonly grepRegexLineChars: number;
  readonly grepRegexLinesPerFile: number;
  /** Directory levels a walk descends below its start. */
  readonly maxDepth: number;
  /** Entries one tree, copy or recursive delete may touch. */
  readonly maxTreeEntries: number;
  /** How long one search may wait and run before it is ended. */
  readonly searchTimeoutMs: number;
  /** How long one may run whose pattern can make the engine backtrack. */
  readonly backtrackTimeoutMs: number;
  /** Longest accepted path, in UTF-8 bytes (PATH_MAX on Linux). */
  readonly maxPathBytes: number;
}

/** The default limits. The shared file tools' contract defines the sizes that it names. */
export const DEFAULT_LIMITS: Limits = {
  maxFileBytes: 10_485_760,
  maxResultBytes: 1_048_576,
  binarySniffBytes: 8_192,
  globResults: 100,
  globScanCeiling: 1_000,
  grepLines: 250,
  grepPatternChars: 1_024,
  grepRegexLineChars: 4_096,
  grepRegexLinesPerFile: 50_000,
  maxDepth: 256,
  maxTreeEntries: 100_000,
  searchTimeoutMs: 30_000,
  backtrackTimeoutMs: 5_000,
  maxPathBytes: 4_096,
};
