import { ComponentError } from '@croft/components';
import { throughOutage } from '@croft/runs/outage';
import pg from 'pg';
import type { Log } from '../log.ts';
import { StoreError } from '../store/store-error.ts';

/** How long a run waits for a database that is away. */
const PATIENCE_MS = 60_000;

/** Whether the message of an error may hold a statement, its values, or names of tables. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ||
  error instanceof StoreError ||
  (error instanceof Error && 'query' in error && 'params' in error);

/**
 * The same functions, whose failures do not hold the statement that failed: users and models read the failures of runs.
 * The log has the whole error. A function that fails because the database is away runs again, for a minute: it must give
 * the same then.
 */
export function withoutQueries<Service extends object>(
  service: Service,
  log: Pick<Log, 'warn'>,
  patienceMs = PATIENCE_MS,
): Service {
  const hide = (error: unknown): never => {
    if (!isOfDatabase(error)) throw error;
    log.warn({ err: error }, 'a query of a run failed');
    const shown = new ComponentError('The database of the server did not answer.', 'Try again in a moment.');
    throw Object.assign(shown, { cause: error });
  };
  const entries = Object.entries(service).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function'
      ? async (...given: unknown[]) => {
          try {
            const call = async (): Promise<unknown> => Reflect.apply(value, service, given);
            return await throughOutage(call, AbortSignal.timeout(patienceMs));
          } catch (error) {
            return hide(error);
          }
        }
      : value,
  ]);
  return Object.fromEntries(entries) as Service;
}
