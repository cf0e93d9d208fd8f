import type { Row } from '../values.ts';

/** A PostgreSQL database, and how to reach it. */
export interface SqlDatabase {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** Encrypted, with a certificate that is checked. */
  readonly tls: boolean;
}

export interface SqlRequest {
  readonly database: SqlDatabase;
  /** One statement. */
  readonly text: string;
  /** Values of `$1`, `$2`, … */
  readonly parameters: readonly unknown[];
  /** Runs in a transaction that cannot change anything, and only statements that give rows. */
  readonly readOnly: boolean;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SqlResult {
  readonly rows: readonly Row[];
  /** Whether there are more rows than `maxRows`. */
  readonly isCut: boolean;
  /** Rows that a statement changed. */
  readonly changed: number;
}

/** @throws ComponentError or NetworkError; the reason of the signal */
export type RunSql = (request: SqlRequest) => Promise<SqlResult>;
