import { createComparisons, type History, type Services } from '@croft/components';
import type { FlowDocument, RunResult, StoredOutputs } from '@croft/flow';
import { createModels } from '@croft/models';
import type { Sealer } from '@croft/runs/sealer';
import type { Actor } from '@croft/tools';
import { runMessages } from '../chats/run-messages.ts';
import { storedHistory } from '../chats/stored-history.ts';
import type { FlowComponents } from '../components/flow-components.ts';
import type { Settings } from '../config/settings.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import type { Variables } from '../variables/variables.ts';
import { createBlockCache } from '../vectors/block-cache.ts';
import { createPgvector } from '../vectors/pgvector.ts';
import { storedVectors } from '../vectors/stored-vectors.ts';
import { VECTOR_LIMITS } from '../vectors/vector-limits.ts';
import { flowFetch, type FlowNetworkSettings } from './flow-network.ts';
import { createFrozenOutputs } from './frozen-outputs.ts';
import { createRecentOutputs } from './recent-outputs.ts';
import { openRunClients, type RunClientOptions } from './run-clients.ts';
import { openRunFiles } from './run-files.ts';
import { spellingsOf } from './secret-texts.ts';
import { storedFlows } from './stored-flows.ts';
import { withoutQueries } from './without-queries.ts';

export interface RunServiceOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly flowComponents: Pick<FlowComponents, 'builtins' | 'forFlow'>;
  readonly log: Log;
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir' | 'filesystemPath' | 'flowCommands' | 'userQuotaBytes'> &
    FlowNetworkSettings;
  readonly machineTools?: RunClientOptions['machineTools'];
  /** Encrypts outputs of frozen components. */
  readonly sealer: Sealer;
  /** Waits for the database. */
  readonly storage: () => Promise<Db>;
  readonly variables: Pick<Variables, 'open'>;
}

const FROZEN_LIMITS = { count: 500, characters: 16 * 1024 * 1024 };
const RECENT_CHARACTERS = { ofServer: 64 * 1024 * 1024, ofUser: 16 * 1024 * 1024 };

/** The services of one run. */
export interface RunServices {
  readonly services: Services;
  /** Outputs of frozen components, and of all of a run that keeps its outputs; undefined where there are none. */
  readonly stored: StoredOutputs | undefined;
  /** Texts that no event, log or response may contain. */
  readonly secrets: ReadonlySet<string>;
  /** Stores the answer of the run in its session, and outputs of frozen components. Call it before readers of the run see the end. */
  finished(result: RunResult): Promise<void>;
  /** Call it after the run. */
  close(): void;
}

/** The run that uses the services. */
export interface ServedRun {
  readonly id: string;
  readonly flowId: string;
  readonly flow: FlowDocument;
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Messages in place of the stored ones. Such a run stores none. */
  readonly history?: History | undefined;
  /** Whether a later run may start in the middle of the flow. */
  readonly keepsOutputs?: boolean | undefined;
}

/** Stores the user's message of a run with a session, and opens its services. */
export type OpenRunServices = (user: Actor & { readonly userId: string }, run: ServedRun) => Promise<RunServices>;

/**
 * Opens what runs of a user may use, and nothing else: variables of this user and not the environment, files of this
 * user's tree, and the network through one guarded fetch.
 *
 * @throws RangeError where an entry of `CROFT_FLOW_HOSTS` is not a host, or a proxy cannot be used
 */
export function createRunServices(options: RunServiceOptions): OpenRunServices {
  const { flowComponents, log, sealer, settings, storage, variables } = options;
  const fetch = flowFetch(settings);
  const engine = {
    cache: createBlockCache(VECTOR_LIMITS.cacheBytes),
    comparisons: createComparisons(),
    pgvector: createPgvector(log),
  };
  const frozen = createFrozenOutputs({ storage, sealer, limits: FROZEN_LIMITS, log });
  const recent = createRecentOutputs(RECENT_CHARACTERS);
  const usesFiles = (flow: FlowDocument) =>
    flow.nodes.some(({ type }) =>
      flowComponents.builtins.get(type)?.descriptor.effects.some((effect) => effect.startsWith('workspace-')),
    );
  return async (user, { id, flowId, flow, inputs, history, keepsOutputs }) => {
    const { userId } = user;
    const own = await variables.open(userId);
    const models = modelsOf(own, fetch);
    const byName = new Map(own.filter(({ hosts }) => hosts.length > 0).map((each) => [each.name, each]));
    const tree = usesFiles(flow)
      ? openRunFiles(options, { ...user, flow: { name: flow.name, id: flowId, runId: id } })
      : undefined;
    const clients = openRunClients({ ...options, fetch }, userId);
    const secrets = secretsIn(own, models);
    const owner = { userId, flowId, runId: id, secrets };
    const messages = history === undefined ? runMessages(storage, { ...owner, flow, inputs }) : undefined;
    const close = () => {
      tree?.close();
      clients.close();
    };
    const stored = frozen.of({ userId, flowId, flow });
    try {
      await messages?.begin();
    } catch (error) {
      close();
      throw error;
    }
    return {
      services: {
        ...tree?.services,
        ...clients.services,
        namespace: { autoLogin: settings.autoLogin, mode: settings.autoLogin ? 'shared' : 'isolated' },
        models,
        fetch,
        credential: (name) => byName.get(name),
        history: history ?? withoutQueries(storedHistory(storage, owner), log),
        flows: withoutQueries(storedFlows(storage, userId, flowComponents), log),
        vectors: withoutQueries(storedVectors(storage, engine, owner), log),
        user: user.userId,
        now: () => new Date(),
      },
      stored: keepsOutputs === true ? recent.of({ id, userId, flowId }, stored) : stored,
      secrets,
      async finished(result) {
        await stored?.stored();
        await messages?.end(result);
      },
      close,
    };
  };
}

/** Texts of a user that no list or log may contain. */
export const createSecretsOf =
  ({ variables, settings }: Pick<RunServiceOptions, 'variables' | 'settings'>) =>
  async (userId: string): Promise<ReadonlySet<string>> => {
    const own = await variables.open(userId);
    return secretsIn(own, modelsOf(own, flowFetch(settings)));
  };

type OwnVariables = Awaited<ReturnType<Variables['open']>>;

const modelsOf = (own: OwnVariables, fetch: typeof globalThis.fetch) =>
  createModels({ variables: Object.fromEntries(own.map(({ name, value }) => [name, value])), fetch });

function secretsIn(own: OwnVariables, { secrets }: Pick<ReturnType<typeof createModels>, 'secrets'>) {
  const values = own.filter(({ kind }) => kind === 'credential').map(({ value }) => value);
  return spellingsOf([...values, ...secrets]);
}
