import { makeToolset, type PendingRecord, type ToolsetName, type ToolTable } from '@croft/tools';
import { WorkspaceError } from '@croft/workspace';
import type { Log } from '../log.ts';
import type { CallerFiles, FilesOfCallers } from './caller-files.ts';
import type { UserActor } from './actor-of.ts';

/** Toolsets of the users that called last, made once each: their schemas cost more than a call. */
export interface CallerToolsets {
  /** One toolset over the caller's tree. The tree is opened by each call, so the tools are listed even when that fails. */
  tableOf(actor: Omit<UserActor, 'client'>, toolset: ToolsetName): ToolTable;
}

const MAX_USERS = 256;

/** Makes the toolsets of a server. */
export function createCallerToolsets({ files, log }: { files: FilesOfCallers; log: Log }): CallerToolsets {
  const users = new Map<string, Map<ToolsetName, ToolTable>>();
  return {
    tableOf(actor, toolset) {
      const { userId } = actor;
      const sets = users.get(userId) ?? new Map<ToolsetName, ToolTable>();
      users.delete(userId);
      users.set(userId, sets);
      const [oldest] = users.keys();
      if (users.size > MAX_USERS && oldest !== undefined) users.delete(oldest);
      const table = sets.get(toolset) ?? makeTable(() => files.open(userId), toolset, log);
      sets.set(toolset, table);
      return { ...table, actor };
    },
  };
}

function makeTable(open: () => CallerFiles, toolset: ToolsetName, log: Log): ToolTable {
  // The record of a call begins before its tool asks for the workspace. Both get the same tree, opened once.
  let tried: CallerFiles | WorkspaceError | undefined;
  const acquire = () => {
    const found = tried ?? open();
    tried = undefined;
    if (found instanceof WorkspaceError) throw found;
    return found.workspace;
  };
  const tryOpen = (): CallerFiles | WorkspaceError => {
    try {
      return open();
    } catch (error) {
      if (error instanceof WorkspaceError) return error;
      throw error;
    }
  };
  return {
    tools: makeToolset(toolset, { acquire, hasTrash: true }),
    activity: {
      begin(call) {
        tried = tryOpen();
        // Files that cannot be opened have no log either.
        if (tried instanceof WorkspaceError) return NO_RECORD;
        // A call is recorded where its first path leads.
        return tried.namespaceOf(call.paths()[0] ?? '.').activity.begin(call);
      },
    },
    onInternalError: reporter({ log }),
  };
}

const NO_RECORD: PendingRecord = {
  id: '',
  intend: () => undefined,
  done: () => undefined,
  withdraw: () => undefined,
  finish: () => undefined,
};

/** For the operator's log, never for a caller. */
export function reporter({ log }: { log: Log }): (error: unknown, tool: string) => void {
  return (error, tool) => {
    const reason = error instanceof WorkspaceError ? error.operatorMessage : undefined;
    log.error({ tool, ...(reason === undefined ? { err: error } : { reason }) }, 'a tool failed unexpectedly');
  };
}
