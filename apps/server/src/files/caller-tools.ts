import type { Hub } from '@croft/gateway/hub';
import type { AnyTool } from '@croft/tools';
import type { LocalAccess } from './local-access.ts';

/** Where tools of machines come from. */
export interface MachineToolOptions {
  readonly hub: Pick<Hub, 'loadStatus' | 'toolsFor'>;
  readonly localAccess: Pick<LocalAccess, 'toolsFor'>;
}

/**
 * Tools over files of a machine: those of the caller's daemon if it is connected, else those of the server's own disk
 * if the local user allowed it. The caller's switch covers both: while it is off there are no tools, also
 * after a paused machine disconnects.
 *
 * @throws what the store throws
 */
export async function machineTools(
  { hub, localAccess }: MachineToolOptions,
  userId: string,
): Promise<readonly AnyTool[]> {
  const { connected, enabled } = await hub.loadStatus(userId);
  if (!enabled) return [];
  return connected ? hub.toolsFor(userId) : localAccess.toolsFor(userId);
}

/** Prefix for a machine's tool whose name is taken by a tool of the workspace. */
const BESIDE = 'machine_';
const MAX_NAME_CHARS = 64;

/**
 * Prepares a machine's tools for a list with other tools. A tool whose name is taken gets the prefix `machine_`, so
 * that neither hides the other and none can pass for the server's own. Leaves a tool out if the new name is taken or
 * too long.
 */
export function besideOwn(own: readonly AnyTool[], machine: readonly AnyTool[]): readonly AnyTool[] {
  const ownNames = new Set(own.map(({ name }) => name));
  const free = machine.filter(({ name }) => !ownNames.has(name));
  const taken = new Set([...ownNames, ...free.map(({ name }) => name)]);
  const renamed = machine.flatMap((tool) => {
    const name = `${BESIDE}${tool.name}`;
    if (!ownNames.has(tool.name) || taken.has(name) || name.length > MAX_NAME_CHARS) return [];
    return [renameTool(tool, name)];
  });
  return [...free, ...renamed];
}

/** Each tool is renamed once, because its listing is derived once for each object. */
const renamedTools = new WeakMap<AnyTool, AnyTool>();

function renameTool(tool: AnyTool, name: string): AnyTool {
  const known = renamedTools.get(tool);
  if (known !== undefined) return known;
  // The prototype keeps all other members, including methods of a class.
  const renamed: AnyTool = Object.create(tool, {
    name: { value: name, enumerable: true },
    description: { value: `On the connected machine. ${tool.description}`, enumerable: true },
  });
  renamedTools.set(tool, renamed);
  return renamed;
}
