import { randomUUID } from 'node:crypto';
import { createSealer } from '@croft/runs/sealer';
import { createFlowComponents } from './components/flow-components.ts';
import { createUserComponents } from './components/user-components.ts';
import type { Settings } from './config/settings.ts';
import { createCallerFiles } from './files/caller-files.ts';
import { createNamespaces } from './files/namespaces.ts';
import { createSharedMount } from './files/shared-mount.ts';
import { createQueuedRuns } from './flow-runs/queued-runs.ts';
import { refuseFlowNetwork } from './flow-runs/flow-network.ts';
import { createRunServices, createSecretsOf } from './flow-runs/run-services.ts';
import { approvedFlowFrom } from './flow-runs/start-stored-flow.ts';
import { refuseForeignGroup, refuseWorkerSettings, workerGroupOf } from './flow-runs/worker-group.ts';
import { startJobs } from './jobs.ts';
import type { Log } from './log.ts';
import { createReadiness } from './readiness.ts';
import { loadOrCreateSecretKey, type SecretKeys } from './secret-key.ts';
import { openDatabase } from './store/database.ts';
import { sealingKeys } from './variables/sealing-keys.ts';
import { createVariables } from './variables/variables.ts';

/** A process that runs queued runs, and nothing else. */
export interface RunningWorker {
  /** Fulfilled when it takes runs. Rejects with a sentence for the operator. */
  readonly ready: Promise<void>;
  /** Hands its runs to other workers, and releases all resources. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/**
 * Starts a worker beside a server: same database, base directory and secret key. Any number may run.
 *
 * @throws ConfigError for settings that are not those of a worker
 */
export function startWorker({ settings, log }: { readonly settings: Settings; readonly log: Log }): RunningWorker {
  refuseWorkerSettings(settings);
  refuseFlowNetwork(settings);
  const { autoLogin, baseDir, databaseUrl = '', previousSecretKeys, secretKey } = settings;
  const secretKeys: SecretKeys = [loadOrCreateSecretKey(baseDir, secretKey), ...previousSecretKeys];
  const workerGroup = workerGroupOf(settings);
  const database = openDatabase({ url: databaseUrl, log: (line) => log.warn({ from: 'database' }, line) });
  const prepared = database.ready.then(() => refuseForeignGroup(database.db, workerGroup, secretKeys));
  const { storage } = createReadiness(database, prepared);
  const { trashBytes, userQuotaBytes } = settings;
  const namespaces = createNamespaces({ baseDir, quotaBytes: userQuotaBytes, trashBytes, onChange: () => {} });
  const files = createCallerFiles({ autoLogin, namespaces, sharedMount: createSharedMount(baseDir), log });
  const variables = createVariables(storage, createSealer(sealingKeys(secretKeys, 'variables')));
  const flowComponents = createFlowComponents(createUserComponents({ files, settings }));
  const sealer = createSealer(sealingKeys(secretKeys, 'runs'));
  const queuedRuns = createQueuedRuns({
    database,
    flowComponents,
    log,
    openServices: createRunServices({ files, flowComponents, log, sealer, settings, storage, variables }),
    secretsOf: createSecretsOf({ settings, variables }),
    readApproved: approvedFlowFrom(storage),
    retentionMs: settings.runRetentionDays * DAY_MS,
    historyBytes: settings.runHistoryBytes,
    sealer,
    storage,
    workerGroup,
    // Another worker, or the server, continues its runs after 10 s.
    workerName: `worker ${randomUUID()}`,
  });
  const ready = prepared.then(async () => {
    await queuedRuns.open();
    queuedRuns.start();
  });
  ready.catch(() => {});
  const jobs = startJobs(
    [
      { name: 'database', stop: () => database.close() },
      { name: 'files', stop: () => namespaces.close() },
      { name: 'queued runs', stop: () => queuedRuns.stop() },
    ],
    log,
  );
  return { ready, close: () => jobs.stop() };
}
