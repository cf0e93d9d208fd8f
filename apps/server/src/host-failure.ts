import { outageCodes } from '@croft/runs/outage';
import pg from 'pg';
import { StoreError } from './store/store-error.ts';

/** A failure of this machine and not of the request: the operator has to act, or the client has to retry. */
export type HostFailure = 'disk_full' | 'database_down';

const MAX_CAUSES = 8;
/** `53100` is PostgreSQL's `disk_full`; `EDQUOT` the disk quota of the account that the server runs as. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** PostgreSQL's class of connection exceptions. */
const DATABASE_DOWN = /^08/;
/** Messages of pg and its pool for errors without a code. */
const LOST =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|Cannot use a pool after calling end)/;

/** Finds the host's failure in an error or its causes; libraries wrap the errors of a query. */
export function hostFailure(error: unknown): HostFailure | undefined {
  let isQuery = false;
  let one = error;
  for (let depth = 0; depth < MAX_CAUSES && one instanceof Error; depth++) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && DISK_FULL.has(code)) return 'disk_full';
    isQuery ||= 'query' in one || one instanceof pg.DatabaseError;
    if (one instanceof StoreError && one.code === 'unavailable') return 'database_down';
    // A socket error counts only below a query: uploads and calls to other servers have sockets of their own.
    if (isQuery && isDatabaseDown(one, code)) return 'database_down';
    one = one.cause;
  }
  return undefined;
}

function isDatabaseDown(error: Error, code: unknown): boolean {
  if (typeof code !== 'string') return LOST.test(error.message);
  return outageCodes.has(code) || DATABASE_DOWN.test(code);
}
