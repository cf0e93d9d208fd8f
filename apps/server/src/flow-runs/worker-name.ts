import { hostname, networkInterfaces } from 'node:os';
import type { Settings } from '../config/settings.ts';

/**
 * The name of a server's worker: its next start continues its runs at once. Must be the same after a restart and of no other
 * process on the database. An embedded database has one process. On a shared one, replicas may have one host name and
 * port, but not one network card.
 */
export function workerNameOf({ databaseUrl }: Pick<Settings, 'databaseUrl'>, port: number): string {
  if (databaseUrl === undefined) return 'server';
  const cards = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ mac }) => mac));
  return [hostname(), port, ...[...new Set(cards)].sort()].join(' ');
}
