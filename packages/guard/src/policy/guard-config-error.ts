/** Where in a configuration file something stands. Both count from 1. */
export interface ConfigPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A configuration the guard does not start with. The message says where (`file:line:column: key`, or the flag or
 * variable) and what would be accepted; it is one line, for the person at the command line.
 */
export class GuardConfigError extends Error {
  override readonly name = 'GuardConfigError';
  /** The key as it stands in the file (`sandboxing.strict_mode`), or the flag or environment variable. */
  readonly key: string;
  /** The place in the file; absent for flags and variables. */
  readonly place: ConfigPlace | undefined;

  constructor(key: string, problem: string, place?: ConfigPlace) {
    super(`${place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `}${key}${problem}`);
    this.key = key;
    this.place = place;
  }
}
