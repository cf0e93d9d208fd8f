import { TooLong } from './limits.ts';

/**
 * Runs a part of the reader that gives up on what has too many meanings. Then the part counts as unknown, and the reader
 * continues after it: the rest of the command line is still judged.
 */
export function orUnknown<T>(run: () => T, unknown: T, undecidable: (reason: string) => void): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TooLong) throw error;
    undecidable(`The command could not be read: ${error instanceof Error ? error.message : String(error)}.`);
    return unknown;
  }
}
