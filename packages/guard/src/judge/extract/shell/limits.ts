/** Length limit of a command line, in UTF-16 units. */
export const MAX_COMMAND_LENGTH = 256 * 1024;

/** Limit of the commands in one command line, in any shell. */
export const MAX_COMMANDS = 1_000;

/** Limit of the paths that one command line writes, and of those that it reads. */
export const MAX_PATHS = 2_000;

/** The command line exceeds a limit, so a part of it was not read. Unlike an undecidable part, no mode allows it. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}
