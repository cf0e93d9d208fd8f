/** The surroundings of a command line. */
export interface ShellContext {
  /** The directory it starts in: `''` is the project root; else relative to the root, or absolute. */
  readonly cwd: string;
  /** The shell that reads it. Without it: POSIX, and also the others if the line looks like theirs. */
  readonly dialect?: 'posix' | 'powershell' | 'cmd';
  /** The absolute directory of `TMPDIR`; default `/tmp`. */
  readonly temporary?: string;
  /**
   * Whether a directory exists (relative to the root, or absolute), if the caller can tell. Without it, a `cd` that may
   * have failed (`cd a; touch ../x`) leaves both directories possible, and both paths are reported.
   */
  readonly isDirectory?: (path: string) => boolean;
  /** The path without links, relative to the root if it is inside; undefined if it does not exist. If the caller can tell. */
  readonly realPath?: (path: string) => string | undefined;
  /** Whether something else than a directory exists (relative to the root, or absolute): `mkdir` fails there. */
  readonly isFile?: (path: string) => boolean;
}

/** One path that a command names. */
export interface ShellPath {
  /** As the command wrote it. */
  readonly written: string;
  /**
   * Joined with the current directory at that point: relative to the project root, else absolute, or `~…` for a home
   * directory. Keeps parts such as `..`, because `link/..` is not the directory that contains `link`. Never `''`: the
   * root itself is `.`.
   */
  readonly path: string;
  /** The path contains a wildcard (`*`, `?`, `[…]`) or an unknown part: it means every matching entry. */
  readonly isPattern?: true;
  /** The pattern may also match names that do not exist yet. */
  readonly isOpen?: true;
  /** Changes to the path other than a plain write. */
  readonly uses?: readonly PathChange[];
}

/**
 * `removes`: the path is removed with everything in it. `replaces`: a whole file or directory may replace it. `fills`:
 * files with unknown names appear in it. `appears`: it is copied or moved from elsewhere under its old name.
 * `repository`: it becomes a git repository without a work tree, with settings and hooks in the directory itself.
 * `takes`: like `removes`, by a command that does nothing else.
 */
export type PathChange = 'removes' | 'replaces' | 'fills' | 'appears' | 'repository' | 'takes';

/** A path that is given to a program whose effect on it is unknown. */
export interface GivenPath {
  readonly written: string;
  /** As in `ShellPath`. */
  readonly path: string;
  /** The program. */
  readonly to: string;
}

/** The effects of a command line. */
export interface ShellReading {
  /** Paths that are written, created, removed or changed. */
  readonly writes: readonly ShellPath[];
  /** The written paths that a command removes, and those to which one does something else. */
  readonly taken: ReadonlySet<string>;
  readonly put: ReadonlySet<string>;
  /** Paths that are read by commands known to read their operands. */
  readonly reads: readonly ShellPath[];
  /** Paths in the words of unknown programs. One outside makes the command undecidable. */
  readonly given: readonly GivenPath[];
  /**
   * Directories a shell may be in afterwards, where the next line runs if the shell keeps running. `TOP` at the start
   * is the top of the git work tree.
   */
  readonly left: readonly string[];
  /** Reasons why the writes are not completely known; the mode decides then. Empty if they are. */
  readonly undecidable: readonly string[];
  /** The limit that the command line exceeds; then a part of it was not read. */
  readonly cut: string | undefined;
}
