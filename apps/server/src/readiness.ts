import { Problem } from './problem.ts';
import type { Database, Db } from './store/database.ts';

/** When the database can be asked. */
export interface Readiness {
  /** Usable at once: what is asked of it waits. For parts that have a patience of their own. */
  readonly db: Db;
  /** Whether the database is there as far as this process knows; does not ask it. */
  isReady(): boolean;
  /** The database when it answers. @throws Problem 503 with Retry-After, when that takes too long */
  storage(): Promise<Db>;
}

/** How long a request waits for a database that is starting. */
const PATIENCE_MS = 10_000;

/**
 * @param prepared the database and what has to be in it before anybody asks; its failure is the operator's to read, a
 *   request is only told to come again
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

function notYet(): Problem {
  return new Problem(503, 'starting', 'The database is not ready yet. Try again in a moment.', { 'Retry-After': '5' });
}
