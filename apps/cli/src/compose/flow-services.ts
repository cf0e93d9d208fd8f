import { createChannel, memoryHistory, memoryVectorStore, type Services } from '@croft/components';
import type { Models } from '@croft/models';
import { createOpenParts, openRecordedPart, recordedWorkspace } from '@croft/tools';
import { croftBaseDir, openWorkspace } from '@croft/workspace';
import type { RunFlags } from '../commands/run-flags.ts';
import { directoryFlows } from './directory-flows.ts';
import { openFlowLog } from './flow-records.ts';
import { openRunClients } from './run-clients.ts';
import { runNetwork } from './run-network.ts';
import { workspaceRoot } from './workspace-root.ts';

/** Services of the flows in this process: files of one directory, the network, models. History is in memory. */
export interface FlowServices {
  /** For a run of the flow with this name. */
  services(flowName: string): Services;
  /** Texts that no event may show. */
  readonly secrets: ReadonlySet<string>;
  close(): Promise<void>;
}

/** @throws UsageError for a wrong flag, WorkspaceError where the directory cannot be opened */
export function openFlowServices(
  dir: string,
  flags: Pick<RunFlags, 'allowHost' | 'allowCommand' | 'credential'>,
  models: Models | undefined,
): FlowServices {
  const network = runNetwork(flags.allowHost, flags.credential);
  const baseDir = croftBaseDir();
  const log = openFlowLog(baseDir, workspaceRoot(dir, baseDir));
  const workspace = openWorkspace(dir, { baseDir, ...(log.trashDir !== undefined && { trashDir: log.trashDir }) });
  log.begins(workspace);
  const parts = createOpenParts();
  const filesOf = (flowName: string): Pick<Services, 'workspace' | 'openSubPath'> => {
    const records = log.recordsOf(flowName);
    return {
      workspace: recordedWorkspace(workspace, records),
      openSubPath: (subPath, { readOnly }) =>
        parts.get([flowName, subPath, readOnly], () =>
          openRecordedPart(workspace, subPath, { readOnly, baseDir, trashDir: log.trashDir, records }),
        ),
    };
  };
  const clients = openRunClients({
    fetch: network.services.fetch,
    allowedHosts: flags.allowHost,
    allowedCommands: flags.allowCommand,
    root: workspace.root,
  });
  const services: Omit<Services, 'workspace'> = {
    flows: directoryFlows(workspace),
    ...network.services,
    ...clients.services,
    ...(models && { models }),
    channel: createChannel(),
    history: memoryHistory(),
    vectors: memoryVectorStore(),
    now: () => new Date(),
  };
  return {
    services: (flowName) => ({ ...services, ...filesOf(flowName) }),
    secrets: new Set([...network.secrets, ...(models?.secrets ?? [])]),
    async close() {
      for (const each of [parts, workspace, log]) each.close();
      await clients.close();
    },
  };
}
