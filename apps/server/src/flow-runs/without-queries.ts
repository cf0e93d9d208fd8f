import { ComponentError } from '@croft/components';
import pg from 'pg';
import type { Log } from '../log.ts';

/** Whether the message of an error may hold a statement, its values, or names of tables. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError || (error instanceof Error && 'query' in error && 'params' in error);

/**
 * The same functions, whose failures do not hold the statement that failed: users and models read the failures of runs.
 * The log has the whole error.
 */
export function withoutQueries<Service extends object>(service: Service, log: Pick<Log, 'warn'>): Service {
  const hide = (error: unknown): never => {
    if (!isOfDatabase(error)) throw error;
    log.warn({ err: error }, 'a query of a run failed');
    throw new ComponentError('The database of the server did not answer.', 'Try again in a moment.');
  };
  const entries = Object.entries(service).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function'
      ? async (...given: unknown[]) => {
          try {
            return (await Reflect.apply(value, service, given)) as unknown;
          } catch (error) {
            return hide(error);
          }
        }
      : value,
  ]);
  return Object.fromEntries(entries) as Service;
}
