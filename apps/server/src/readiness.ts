import { Problem } from './problem.ts';
import type { Database, Db } from './store/database.ts';

/** Access to the database from the moment it is ready. */
export interface Readiness {
  /** Usable at once: queries wait for the database. For callers with a timeout of their own. */
  readonly db: Db;
  /** Whether this process knows the database to be up. Sends no query. */
  isReady(): boolean;
  /** Waits for the database. @throws Problem 503 with Retry-After, when that takes too long */
  storage(): Promise<Db>;
}

/** How long a request waits for a database that is starting. */
const PATIENCE_MS = 10_000;
const NOT_YET = 'starting';

/**
 * @param prepared resolves when the database has its tables and first rows. The caller reports its failure to the
 *   operator; a request gets 503 and is asked to try again.
 */
export function createReadiness(database: Database, prepared: Promise<void>, patienceMs = PATIENCE_MS): Readiness {
  let isPrepared = false;
  prepared.then(
    () => {
      isPrepared = true;
    },
    () => {},
  );
  const { db } = database;
  return {
    db,
    isReady: () => isPrepared && database.isUp(),
    async storage() {
      if (isPrepared) return db;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(notYet()), patienceMs);
      });
      try {
        await Promise.race([
          prepared.catch(() => {
            throw notYet();
          }),
          late,
        ]);
        return db;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Whether a failure only says that the database is not there yet. The start itself says why. */
export const isNotYet = (error: unknown): boolean => error instanceof Problem && error.code === NOT_YET;

function notYet(): Problem {
  return new Problem(503, NOT_YET, 'The database is not ready yet. Try again in a moment.', { 'Retry-After': '5' });
}
