import { randomUUID } from 'node:crypto';
import type { Settings } from './config/settings.ts';
import { composeWorker, type RunningWorker } from './flow-runs/compose-worker.ts';
import { refuseFlowNetwork } from './flow-runs/flow-network.ts';
import { refuseForeignGroup, refuseWorkerSettings, workerGroupOf } from './flow-runs/worker-group.ts';
import type { Log } from './log.ts';
import { loadOrCreateSecretKey, type SecretKeys } from './secret-key.ts';
import { openDatabase } from './store/database.ts';

/**
 * Starts a worker beside a server: same database, base directory and secret key. Any number may run.
 *
 * @throws ConfigError for settings that are not those of a worker
 */
export function startWorker({ settings, log }: { readonly settings: Settings; readonly log: Log }): RunningWorker {
  refuseWorkerSettings(settings);
  refuseFlowNetwork(settings);
  const { baseDir, databaseUrl = '', previousSecretKeys, secretKey } = settings;
  const secretKeys: SecretKeys = [loadOrCreateSecretKey(baseDir, secretKey), ...previousSecretKeys];
  const workerGroup = workerGroupOf(settings);
  const database = openDatabase({ url: databaseUrl, log: (line) => log.warn({ from: 'database' }, line) });
  return composeWorker({
    settings,
    log,
    secretKeys,
    workerGroup,
    // Another worker, or the server, continues its runs after 10 s.
    workerName: `worker ${randomUUID()}`,
    database,
    prepared: database.ready.then(() => refuseForeignGroup(database.db, workerGroup, secretKeys)),
  });
}
