/** What a guard lets through. Made by `loadPolicy`; every field has a value. */
export interface Policy {
  readonly enabled: boolean;
  readonly strict: boolean;
  readonly mode: 'enforce' | 'dry-run';
  readonly allowParentAccess: boolean;
  /** Tools by these patterns write, besides the known ones. Case-insensitive, unanchored. */
  readonly customToolPatterns: readonly RegExp[];
  readonly defaultToolPatterns: readonly RegExp[];
  /** Tools by these patterns are not judged. Wins over all others. */
  readonly excludedTools: readonly RegExp[];
  /** Names of arguments that hold paths, besides the known ones: hints, never a limit. */
  readonly pathParameterNames: readonly string[];
  /** Globs below the root or the home (`~/…`) that may not be read; empty: reading is free. */
  readonly denyRead: readonly string[];
  /** Globs below the root that may not be written although they lie inside. */
  readonly protect: readonly string[];
  /** The files this policy was read from, absolute: never to be written, whatever they are called. */
  readonly policyFiles: readonly string[];
  /** Further directories that may be written. */
  readonly allowedRoots: readonly string[];
  /** A directory for temporary files that may be written in every mode; made when it is missing. */
  readonly privateTemporary: string | undefined;
  /** The agent runs on another host: paths are judged by their letters alone, by POSIX and Windows rules. */
  readonly remote: boolean;
}
