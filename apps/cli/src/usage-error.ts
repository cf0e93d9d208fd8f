/** Something the person at the command line can put right: shown as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
