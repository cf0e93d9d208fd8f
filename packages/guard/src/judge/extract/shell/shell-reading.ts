/** Where a command line is read. */
export interface ShellContext {
  /** The directory it starts in: `''` is the project root; else relative to the root, or absolute. */
  readonly cwd: string;
  /** The shell it is for. Without it: POSIX, and the others besides where the line looks like theirs. */
  readonly dialect?: 'posix' | 'powershell' | 'cmd';
  /** The directory that `TMPDIR` means, absolute; `/tmp` unless given. */
  readonly temporary?: string;
  /**
   * Whether a directory is there (relative to the root, or absolute), where the caller can tell. Without it a `cd` that
   * may have failed (`cd a; touch ../x`) leaves both directories possible, and both paths are reported.
   */
  readonly isDirectory?: (path: string) => boolean;
}

/** One path a command names. */
export interface ShellPath {
  /** As the command wrote it. */
  readonly written: string;
  /**
   * Joined with the `cd` in force: relative to the project root, else absolute, or `~…` for a home directory. Parts such
   * as `..` are kept, because `link/..` is not where `link` lies. Never `''`: the root itself is `.`.
   */
  readonly path: string;
  /** The path holds a wildcard (`*`, `?`, `[…]`), or a part that is not known: any entry that matches is meant. */
  readonly isPattern?: true;
  /** What the pattern stands for need not be there yet. */
  readonly isOpen?: true;
  /** What becomes of it beyond being written; without it, the path alone is. */
  readonly uses?: readonly PathChange[];
}

/**
 * `removes`: it is taken away, with all that is in it. `replaces`: something whole may come in its place. `fills`: files
 * whose names are not known appear in it. `appears`: it comes from elsewhere by the name it has there. `repository`: it becomes one of git, with
 * all that git obeys in one lying in the directory itself. `takes`: like `removes`, by a command that does nothing else.
 */
export type PathChange = 'removes' | 'replaces' | 'fills' | 'appears' | 'repository' | 'takes';

/** A path that is given to a program of which nobody knows what it does with it. */
export interface GivenPath {
  readonly written: string;
  /** Like that of a `ShellPath`. */
  readonly path: string;
  /** The program. */
  readonly to: string;
}

/** What a command line touches. */
export interface ShellReading {
  /** Paths that are written, created, removed or changed. */
  readonly writes: readonly ShellPath[];
  /** Of the written paths, those that a command takes away, and those with which one does something else. */
  readonly taken: ReadonlySet<string>;
  readonly put: ReadonlySet<string>;
  /** Paths that are read, where the command is one that is known to read its operands. */
  readonly reads: readonly ShellPath[];
  /** Paths in the words of programs nobody knows: one that lies outside makes the command undecidable. */
  readonly given: readonly GivenPath[];
  /**
   * Directories that a shell may be in afterwards: if it goes on running, it runs the next line there. `TOP` at the
   * start is the top of the git work tree.
   */
  readonly left: readonly string[];
  /** Why it cannot be told what is written; the mode decides. Empty when everything could be told. */
  readonly undecidable: readonly string[];
}
