import { createGuardedFetch, type History, memoryHistory, memoryVectorStore, type Services } from '@croft/components';
import type { ComponentRegistry, FlowDocument } from '@croft/flow';
import { createModels } from '@croft/models';
import type { Actor } from '@croft/tools';
import { openWorkspace, type Workspace, WorkspaceError } from '@croft/workspace';
import { ConfigError } from '../config/load-config.ts';
import type { Settings } from '../config/settings.ts';
import type { CallerFiles, FilesOfCallers } from '../files/caller-files.ts';
import type { Log } from '../log.ts';
import type { Variables } from '../variables/variables.ts';
import { recordedWorkspace } from './recorded-workspace.ts';
import { spellingsOf } from './secret-texts.ts';

export interface RunServiceOptions {
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly log: Log;
  readonly registry: ComponentRegistry<Services>;
  readonly settings: Pick<Settings, 'autoLogin' | 'baseDir' | 'flowHosts' | 'userQuotaBytes'>;
  readonly variables: Pick<Variables, 'open'>;
}

/** The services of one run. */
export interface RunServices {
  readonly services: Services;
  /** Texts that no event, log or response may contain. */
  readonly secrets: ReadonlySet<string>;
  /** Call it after the run. */
  close(): void;
}

export type OpenRunServices = (
  user: Actor & { readonly userId: string },
  flow: FlowDocument,
  history: History | undefined,
) => Promise<RunServices>;

/** @throws ConfigError where an entry of `CROFT_FLOW_HOSTS` is not a host */
export function refuseFlowHosts({ flowHosts }: Pick<Settings, 'flowHosts'>): void {
  try {
    createGuardedFetch({ allow: flowHosts });
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`CROFT_FLOW_HOSTS: ${error.message}`);
    throw error;
  }
}

/**
 * Opens what runs of a user may use, and nothing else: variables of this user and not the environment, files of this
 * user's tree, and the network through one guarded fetch.
 *
 * @throws RangeError where an entry of `CROFT_FLOW_HOSTS` is not a host
 */
export function createRunServices(options: RunServiceOptions): OpenRunServices {
  const { files, registry, settings, variables } = options;
  const fetch = createGuardedFetch({ allow: settings.flowHosts });
  const usesFiles = (flow: FlowDocument) =>
    flow.nodes.some(({ type }) =>
      registry.get(type)?.descriptor.effects.some((effect) => effect.startsWith('workspace-')),
    );
  return async (user, flow, history = memoryHistory()) => {
    const own = await variables.open(user.userId);
    const models = createModels({ variables: Object.fromEntries(own.map(({ name, value }) => [name, value])), fetch });
    const byName = new Map(own.filter(({ hosts }) => hosts.length > 0).map((each) => [each.name, each]));
    const tree = usesFiles(flow) ? openFiles(files.open(user.userId), user, options) : undefined;
    const secretValues = own.filter(({ kind }) => kind === 'credential').map(({ value }) => value);
    return {
      services: {
        ...tree?.services,
        namespace: { autoLogin: settings.autoLogin, mode: settings.autoLogin ? 'shared' : 'isolated' },
        models,
        fetch,
        credential: (name) => byName.get(name),
        history,
        vectors: memoryVectorStore(),
        now: () => new Date(),
      },
      secrets: spellingsOf([...secretValues, ...models.secrets]),
      close: () => tree?.close(),
    };
  };
}

interface RunFiles {
  readonly services: Pick<Services, 'workspace' | 'openSubPath'>;
  close(): void;
}

function openFiles(
  tree: CallerFiles,
  actor: Actor,
  { log, settings: { baseDir, userQuotaBytes } }: Pick<RunServiceOptions, 'log' | 'settings'>,
): RunFiles {
  const parts: Workspace[] = [];
  return {
    services: {
      workspace: recordedWorkspace(tree, actor, log),
      openSubPath(subPath, { readOnly }) {
        const { top } = tree;
        if (tree.namespaceOf(subPath) !== top)
          throw new WorkspaceError('invalid', 'A Sub-path leads into your own files; this one is a mounted folder.');
        // Another workspace counts only its own part: it would pass the quota of the whole.
        if (userQuotaBytes !== undefined && !readOnly)
          throw new WorkspaceError(
            'read_only',
            'This server limits the size of files, and a Sub-path is read-only there. Turn on Read-only, or empty the field Workspace Sub-path.',
          );
        // Its changes have paths of the part: the log of the whole could not undo them.
        const part = openWorkspace(top.workspace.root, { subPath, readOnly, baseDir });
        parts.push(part);
        return part;
      },
    },
    close() {
      for (const part of parts) part.close();
      tree.top.changed();
    },
  };
}
