import type { PasswordHashing } from './accounts/authentication.ts';

/** Options of a server for tests only. */
export interface TestOptions {
  /** Fails a request whose response its definition does not describe; false by default. */
  readonly checksResponses?: boolean | undefined;
  /** False runs queued runs in this thread; true by default. */
  readonly runsInThread?: boolean | undefined;
  /** Hashes passwords fast. By default better-auth uses scrypt, which fills 32 MB for each sign-in. */
  readonly passwordHashing?: PasswordHashing | undefined;
}
