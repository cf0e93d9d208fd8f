import type { PastTurn, Turn } from '@croft/assistant';
import { TEMPLATES } from '@croft/components';
import { createModels, type ModelRef, readModelRef } from '@croft/models';
import type { FlowComponents } from '../components/flow-components.ts';
import type { UserComponents } from '../components/user-components.ts';
import type { EventStreams } from '../events.ts';
import { actorOf, type UserActor } from '../files/actor-of.ts';
import type { CallerToolsets } from '../files/caller-toolsets.ts';
import { type AllRuns, showProblem } from '../flow-runs/all-runs.ts';
import { flowFetch, type FlowNetworkSettings } from '../flow-runs/flow-network.ts';
import { requireFlow } from '../flows/get-flow.ts';
import type { Caller } from '../identity.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import type { Variables } from '../variables/variables.ts';
import { createComponentWriter } from './component-writer.ts';
import { createFlowCanvas } from './flow-canvas.ts';
import { forModel } from './for-model.ts';
import { undoNewestFiles, type UndoFilesOptions } from './revert-files.ts';
import { startTurnRun, type StartTurnRunOptions } from './start-turn-run.ts';
import { secretsIn, valuesOf } from './user-secrets.ts';

export interface OpenTurnOptions extends StartTurnRunOptions, Omit<UndoFilesOptions, 'storage'> {
  readonly flowComponents: FlowComponents;
  readonly userComponents: UserComponents;
  readonly allRuns: Pick<AllRuns, 'find' | 'list'>;
  readonly events: Pick<EventStreams, 'send'>;
  readonly log: Log;
  readonly settings: FlowNetworkSettings;
  readonly storage: () => Promise<Db>;
  readonly toolsets: CallerToolsets;
  readonly variables: Pick<Variables, 'open'>;
}

/** A message to the assistant, as its sender may send it. */
export interface NewTurn {
  readonly id: string;
  readonly caller: Caller;
  readonly flowId: string;
  readonly sessionId: string;
  readonly message: string;
  readonly provider?: string | undefined;
  readonly modelName?: string | undefined;
  readonly skipAll?: boolean | undefined;
  readonly steps?: number | undefined;
  readonly retries?: number | undefined;
  readonly tokens?: number | undefined;
  /** Questions get their default, because no person follows. */
  readonly headless?: boolean | undefined;
  readonly continues?: Turn['continues'];
  readonly plan?: string | undefined;
  readonly dismissesProposals?: boolean | undefined;
  readonly history: readonly PastTurn[];
  readonly ask: Turn['ask'];
  readonly signal: AbortSignal;
}

/**
 * Makes the value that the assistant works on: this user's flow, variables, models and runs, the tree of files that the
 * user's pages, flows and programs have, and nothing else.
 */
export async function openTurn(options: OpenTurnOptions, request: NewTurn): Promise<Turn> {
  const { events, flowComponents, settings, storage, toolsets, variables } = options;
  const { id, caller, flowId, sessionId, message, history, ask, signal, skipAll, continues, plan } = request;
  const { userId } = caller;
  const actor: UserActor = { ...actorOf(caller), via: 'assistant' };
  const { document } = await requireFlow(await storage(), userId, flowId);
  const { registry } = await flowComponents.forBuilding(userId, document);
  const own = await variables.open(userId);
  const fetch = flowFetch(settings);
  const models = createModels({ variables: valuesOf(own), fetch });
  return {
    id,
    sessionId,
    message,
    continues,
    plan,
    dismissesProposals: request.dismissesProposals,
    canvas: createFlowCanvas({ storage, events, flowComponents, userId, flowId, turnId: id, message }),
    registry,
    components: createComponentWriter(options, actor, sessionId),
    templates: TEMPLATES.map(({ name, description, spec, input, files }) => ({
      name,
      description,
      spec,
      input,
      files,
    })),
    models,
    model: modelOf(request),
    files: toolsets.tableOf(actor, 'files'),
    undoFiles: () => forModel(undoNewestFiles(options, caller, { userId, flowId, sessionId })),
    runs: {
      start: (text, version) =>
        forModel(
          startTurnRun(options, caller, { flowId, sessionId, message: text, version }).catch(undefinedIfChanged),
        ),
      read: (runId) => forModel(options.allRuns.find(userId, runId).catch(showProblem)),
      async latest() {
        const { runs } = await forModel(options.allRuns.list(userId, { flowId, limit: 1 }).catch(showProblem));
        const found = runs[0] && (await forModel(options.allRuns.find(userId, runs[0].id).catch(showProblem)));
        return (
          found && { status: found.status, text: found.text ?? '', ...(found.failure && { failure: found.failure }) }
        );
      },
    },
    history,
    skipAll,
    ask,
    secrets: secretsIn(own, models),
    limits: { steps: request.steps, retries: request.retries, tokens: request.tokens },
    signal,
  };
}

function undefinedIfChanged(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'changed') return undefined;
  throw error;
}

/** The model that a request names. @throws ModelError `unknown_model` */
export function modelOf({ provider, modelName }: Pick<NewTurn, 'provider' | 'modelName'>): ModelRef | undefined {
  if (provider === undefined) return readModelRef(modelName);
  return readModelRef({ provider, name: modelName ?? '' });
}
