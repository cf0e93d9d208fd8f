/** The location of a path relative to the writable directories. */
export type Spot =
  | {
      readonly kind: 'inside';
      /** Relative to the root that contains it; `.` is the root itself. */
      readonly path: string;
      /** The path is one of the roots. */
      readonly isRoot: boolean;
      /** The path is in the project root, not in a further one. */
      readonly isProject: boolean;
      readonly isHardLinked?: true;
      /** The path is a file from which the policy was read, under any name. */
      readonly isPolicyFile?: true;
      /** The further root that contains the path. */
      readonly further?: string;
    }
  | { readonly kind: 'outside' }
  /** A name that is not portable. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** The writable directories, held open, and the one resolver that decides whether a path is inside them. */
export interface Place {
  /** The project root as given; undefined if there is none. */
  readonly root: string | undefined;
  /** The root's other names, for messages and shells. */
  readonly roots: readonly string[];
  /** The policy's files, relative to the root that contains them, without those outside every root. */
  readonly policyFiles: readonly string[];
  /** The directory for `~`; undefined if unknown. */
  readonly home: string | undefined;
  readonly isWindows: boolean;
  /** The directory for `TMPDIR`; undefined if unknown. */
  readonly temporary: string | undefined;
  locate(path: string): Spot;
  /** Whether the root of the disk has an entry of this name. True if unknown. */
  hasTop(name: string): boolean;
  /** Whether the path (relative to the root, or absolute) is a directory. Undefined if unknown. */
  readonly isDirectory: ((path: string) => boolean) | undefined;
  /** A path (relative to the root, or absolute) without links, relative to the root if it is inside. Undefined if unknown. */
  readonly realPath: ((path: string) => string | undefined) | undefined;
  /** Whether the path (relative to the root, or absolute) is something else than a directory. Undefined if unknown. */
  readonly isFile: ((path: string) => boolean) | undefined;
  /**
   * The type of the entry at a path (below the project root, or absolute), without following links. Undefined if
   * unknown.
   */
  readonly kindOf: ((path: string) => 'directory' | 'other' | 'nothing') | undefined;
  /** Names of the links in a directory below the project root, through which a wildcard may lead. */
  linksIn(dir: string): readonly string[];
  /** Names of all entries of a directory (relative to the root, or absolute). Undefined if unknown. */
  readonly namesIn: ((dir: string) => readonly string[] | undefined) | undefined;
  close(): void;
}
