/** Where a path lies, as far as writing is concerned. */
export type Spot =
  | {
      readonly kind: 'inside';
      /** Relative to the root it lies in; `.` is the root itself. */
      readonly path: string;
      /** It is one of the roots, whole. */
      readonly isRoot: boolean;
      /** It lies in the project root, and not in a further one. */
      readonly isProject: boolean;
      readonly isHardLinked?: true;
      /** It is a file the policy was read from, by whatever name. */
      readonly isPolicyFile?: true;
      /** The further root it lies in. */
      readonly further?: string;
    }
  | { readonly kind: 'outside' }
  /** A name that no file can portably have. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** The directories that may be written, held open, and the one resolver that says what lies in them. */
export interface Place {
  /** The project root as it was given; undefined when there is none. */
  readonly root: string | undefined;
  /** The root's other names, for messages and shells. */
  readonly roots: readonly string[];
  /** The files the policy was read from, relative to the root they lie in; those that lie in none are not here. */
  readonly policyFiles: readonly string[];
  /** What `~` means; undefined where that cannot be known. */
  readonly home: string | undefined;
  readonly isWindows: boolean;
  /** The directory that `TMPDIR` means; undefined where that cannot be known. */
  readonly temporary: string | undefined;
  locate(path: string): Spot;
  /** Whether an entry of this name stands at the top of the disk. Always, where that cannot be known. */
  hasTop(name: string): boolean;
  /** Whether this is a directory (relative to the root, or absolute). Undefined where that cannot be known. */
  readonly isDirectory: ((path: string) => boolean) | undefined;
  /** What stands at a path (below the project root, or absolute), links not followed. Undefined where that cannot be known. */
  readonly kindOf: ((path: string) => 'directory' | 'other' | 'nothing') | undefined;
  /** Names of the links in a directory below the project root: what a wildcard may lead through. */
  linksIn(dir: string): readonly string[];
  /** Names of all that is in a directory (relative to the root, or absolute). Undefined where that cannot be known. */
  readonly namesIn: ((dir: string) => readonly string[] | undefined) | undefined;
  close(): void;
}
