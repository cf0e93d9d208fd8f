/** A position in a configuration file. Line and column start at 1. */
export interface ConfigPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A configuration that stops the guard from starting. The message names the place (`file:line:column: key`, or the flag
 * or variable) and the accepted values, in one line for the person at the command line.
 */
export class GuardConfigError extends Error {
  override readonly name = 'GuardConfigError';
  /** The key as written in the file (`sandboxing.strict_mode`), or the flag or environment variable. */
  readonly key: string;
  /** The position in the file; undefined for flags and variables. */
  readonly place: ConfigPlace | undefined;

  constructor(key: string, problem: string, place?: ConfigPlace) {
    super(`${place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `}${key}${problem}`);
    this.key = key;
    this.place = place;
  }
}
