import { createSealer } from '@croft/runs/sealer';
import { createFlowComponents } from '../components/flow-components.ts';
import { createUserComponents } from '../components/user-components.ts';
import type { Settings } from '../config/settings.ts';
import { createCallerFiles } from '../files/caller-files.ts';
import { createNamespaces, type NamespaceOptions } from '../files/namespaces.ts';
import { createSharedMount } from '../files/shared-mount.ts';
import { startJobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import { createReadiness } from '../readiness.ts';
import type { SecretKeys } from '../secret-key.ts';
import type { Database } from '../store/database.ts';
import { sealingKeys } from '../variables/sealing-keys.ts';
import { createVariables } from '../variables/variables.ts';
import { createQueuedRuns } from './queued-runs.ts';
import { createRunServices, createSecretsOf, type RunServiceOptions } from './run-services.ts';
import { approvedFlowFrom } from './start-stored-flow.ts';

/** A worker in this process or thread: it runs queued runs, and nothing else. */
export interface RunningWorker {
  /** Fulfilled when it takes runs. Rejects with a sentence for the operator. */
  readonly ready: Promise<void>;
  /** Another thread changed files of a user; of all users if it is undefined. */
  filesChanged(userId: string | undefined): void;
  /** Hands its runs to other workers, and releases all resources. */
  close(): Promise<void>;
}

export interface ComposeWorkerOptions extends Pick<RunServiceOptions, 'machineTools'> {
  readonly settings: Settings;
  /** Of the server, where this is one of its threads. */
  readonly quotaLedgers?: SharedArrayBuffer;
  readonly log: Log;
  readonly secretKeys: SecretKeys;
  readonly workerGroup: string;
  readonly workerName: string;
  /** Closed with the worker. */
  readonly database: Database;
  /** Checks that the database is the server's. */
  readonly prepared?: Promise<void>;
  readonly onFilesChange?: NamespaceOptions['onChange'];
}

const DAY_MS = 86_400_000;

/** The parts of a worker. Of its process or thread, it is the only one. */
export function composeWorker(options: ComposeWorkerOptions): RunningWorker {
  const { settings, log, secretKeys, workerGroup, workerName, database } = options;
  const { prepared = database.ready, onFilesChange = () => {} } = options;
  const { storage } = createReadiness(database, prepared);
  const { autoLogin, baseDir, trashBytes, userQuotaBytes } = settings;
  const namespaces = createNamespaces({
    baseDir,
    quotaBytes: userQuotaBytes,
    ledgers: options.quotaLedgers,
    trashBytes,
    onChange: onFilesChange,
  });
  const files = createCallerFiles({ autoLogin, namespaces, sharedMount: createSharedMount(baseDir), log });
  const variables = createVariables(storage, createSealer(sealingKeys(secretKeys, 'variables')));
  const flowComponents = createFlowComponents(createUserComponents({ files, log }));
  const sealer = createSealer(sealingKeys(secretKeys, 'runs'));
  const { machineTools } = options;
  const queuedRuns = createQueuedRuns({
    autoLogin,
    database,
    flowComponents,
    log,
    openServices: createRunServices({
      files,
      flowComponents,
      log,
      machineTools,
      sealer,
      settings,
      storage,
      variables,
    }),
    secretsOf: createSecretsOf({ settings, variables }),
    readApproved: approvedFlowFrom(storage),
    retentionMs: settings.runRetentionDays * DAY_MS,
    historyBytes: settings.runHistoryBytes,
    sealer,
    storage,
    workerGroup,
    workerName,
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
  return { ready, filesChanged: namespaces.changedElsewhere, close: () => jobs.stop() };
}
