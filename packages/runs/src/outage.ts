import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 200;

/**
 * The system's codes of a connection that cannot be made or broke, and PostgreSQL's for a server that starts (57P03), shuts
 * down (57P01, 57P02), or has no free connection (53300).
 */
export const outageCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
/** Failures of the driver have no code. */
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/;
const MAX_CAUSES = 8;

/** Whether a statement failed because the database was away: the same statement may succeed later. Reads causes, too. */
export function isOutage(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each instanceof Error; depth++) {
    const { code, syscall } = each as NodeJS.ErrnoException;
    // ENOENT is a socket that is missing, or else a file that has nothing to do with the database.
    const isFile = code === 'ENOENT' && syscall !== 'connect';
    if (code === undefined ? MESSAGES.test(each.message) : outageCodes.has(code) && !isFile) return true;
    each = each.cause;
  }
  return false;
}

/**
 * Repeats statements until the database is back, or `signal` aborts. The answer of a statement may be lost after it took
 * effect: the work must give the same when it runs again.
 *
 * @throws what the work throws, but failures of an outage only after `signal` has aborted
 */
export async function throughOutage<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
