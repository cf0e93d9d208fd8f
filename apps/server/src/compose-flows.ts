import { createSealer } from '@croft/runs/sealer';
import { createLiveTurns } from './assistant/live-turns.ts';
import { createAssistantMetrics } from './assistant/metrics.ts';
import { openTurn } from './assistant/open-turn.ts';
import { createTurnStore } from './assistant/turn-store.ts';
import { createFlowComponents } from './components/flow-components.ts';
import { createUserComponents } from './components/user-components.ts';
import type { Settings } from './config/settings.ts';
import type { EventStreams } from './events.ts';
import type { FilesOfCallers } from './files/caller-files.ts';
import { createCallerToolsets } from './files/caller-toolsets.ts';
import type { Namespaces } from './files/namespaces.ts';
import { openFlowRuns, type OpenFlowRunsOptions } from './flow-runs/open-flow-runs.ts';
import { createRunThread } from './flow-runs/run-thread.ts';
import type { SecretKeys } from './secret-key.ts';
import { sealingKeys } from './variables/sealing-keys.ts';
import { createVariables } from './variables/variables.ts';
import { createHookLimits } from './webhooks/hook-limits.ts';
import { createListeners } from './webhooks/listeners.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** The parts of the server that flows and the assistant use. */
export interface ComposeFlowsOptions
  extends Omit<OpenFlowRunsOptions, 'flowComponents' | 'files' | 'runThread' | 'sealer' | 'settings' | 'variables'> {
  readonly events: EventStreams;
  readonly files: FilesOfCallers;
  readonly machineTools: NonNullable<OpenFlowRunsOptions['machineTools']>;
  readonly namespaces: Namespaces;
  /** Whether queued runs have a thread of their own. */
  readonly runsInThread: boolean;
  readonly secretKeys: SecretKeys;
  readonly settings: Settings;
}

/** Creates the parts that store and run flows, and the assistant. */
export function composeFlows(options: ComposeFlowsOptions) {
  const { events, files, log, namespaces, secretKeys, settings, storage } = options;
  const variables = createVariables(storage, createSealer(sealingKeys(secretKeys, 'variables')));
  const webhookSealer = createSealer(sealingKeys(secretKeys, 'webhooks'));
  const webhooks = createWebhooks(storage, webhookSealer, settings);
  const userComponents = createUserComponents({ files, log });
  const flowComponents = createFlowComponents(userComponents);
  const flowRuns = openFlowRuns({
    database: options.database,
    files,
    flowComponents,
    log,
    machineTools: options.machineTools,
    runThread: options.runsInThread
      ? createRunThread({
          ...options,
          quotaLedgers: namespaces.ledgers,
          onFilesChange(userId) {
            namespaces.changedElsewhere(userId);
            events.sendFilesChanged(userId);
          },
        })
      : undefined,
    sealer: createSealer(sealingKeys(secretKeys, 'runs')),
    settings,
    storage,
    variables,
    workerGroup: options.workerGroup,
    workerName: options.workerName,
  });
  const toolsets = createCallerToolsets({ files, log });
  const turnStore = createTurnStore(storage);
  const { builtins: registry } = flowComponents;
  const turnParts = {
    ...flowRuns,
    flowComponents,
    userComponents,
    events,
    files,
    log,
    settings,
    storage,
    toolsets,
    turnStore,
    variables,
  };
  const metrics = createAssistantMetrics(log);
  const liveTurns = createLiveTurns({ open: (request) => openTurn(turnParts, request), log, metrics, turnStore });
  return {
    flowComponents,
    flowRuns,
    hookLimits: createHookLimits(),
    listeners: createListeners(storage, webhookSealer),
    liveTurns,
    metrics,
    registry,
    toolsets,
    turnStore,
    userComponents,
    variables,
    schedules: { reseal: async () => (await flowRuns.queuedRuns.reader()).resealSchedules() },
    webhooks,
  };
}
