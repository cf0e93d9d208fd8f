import { type AnyTool, fixedWorkspace, makeToolset, type ToolsetName, type ToolTable } from '@croft/tools';
import { WorkspaceError } from '@croft/workspace';
import type { Parts } from '../parts.ts';
import type { Namespace } from './namespaces.ts';

/** Toolsets over a namespace, made once each: their schemas cost more than a call. */
const made = new WeakMap<Namespace, Map<ToolsetName, readonly AnyTool[]>>();

/** One toolset over a namespace, whose calls are recorded there. */
export function toolTableOf(parts: Pick<Parts, 'log'>, namespace: Namespace, toolset: ToolsetName): ToolTable {
  const sets = made.get(namespace) ?? new Map<ToolsetName, readonly AnyTool[]>();
  made.set(namespace, sets);
  const tools = sets.get(toolset) ?? makeToolset(toolset, fixedWorkspace(namespace.workspace));
  sets.set(toolset, tools);
  return { tools, activity: namespace.activity, onInternalError: reporter(parts) };
}

/**
 * Tools over a machine that is not the server's to give: that of the caller's daemon, else the server's own where its
 * one local user allowed it, else none. Where the person switched machines off there are none of either: the server's
 * own files are no stand-in for what somebody has just taken away.
 */
export function machineTools(parts: Pick<Parts, 'hub' | 'localAccess'>, userId: string): readonly AnyTool[] {
  const { connected, enabled } = parts.hub.status(userId);
  if (!enabled) return [];
  return connected ? parts.hub.toolsFor(userId) : parts.localAccess.toolsFor(userId);
}

/** For the operator's log, never for a caller. */
export function reporter({ log }: Pick<Parts, 'log'>): (error: unknown, tool: string) => void {
  return (error, tool) => {
    const reason = error instanceof WorkspaceError ? error.operatorMessage : undefined;
    log.error({ tool, ...(reason === undefined ? { err: error } : { reason }) }, 'a tool failed unexpectedly');
  };
}
