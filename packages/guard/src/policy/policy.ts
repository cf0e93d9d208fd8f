/** The settings of a guard. `loadPolicy` creates it; every field has a value. */
export interface Policy {
  readonly enabled: boolean;
  readonly strict: boolean;
  readonly mode: 'enforce' | 'dry-run';
  readonly allowParentAccess: boolean;
  /** Tools whose name matches write files, in addition to the known ones. Case-insensitive, unanchored. */
  readonly customToolPatterns: readonly RegExp[];
  readonly defaultToolPatterns: readonly RegExp[];
  /** Tools whose name matches are not judged. Overrides all other rules. */
  readonly excludedTools: readonly RegExp[];
  /** Names of arguments that hold paths, in addition to the known ones. They never limit the search for paths. */
  readonly pathParameterNames: readonly string[];
  /** Globs below the root or the home directory (`~/…`) that may not be read. If empty, reading is not restricted. */
  readonly denyRead: readonly string[];
  /** Globs below the root that may not be written although they are inside. */
  readonly protect: readonly string[];
  /** Absolute paths of the files from which this policy was read. They may never be written. */
  readonly policyFiles: readonly string[];
  /** Further directories that may be written. */
  readonly allowedRoots: readonly string[];
  /** A directory for temporary files that may be written in every mode. Created if missing. */
  readonly privateTemporary: string | undefined;
  /** The agent runs on another host: paths are judged without looking at this disk, by POSIX and Windows rules. */
  readonly remote: boolean;
}
