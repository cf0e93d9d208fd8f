/** An error that the user can fix at the command line. Shown as one line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
