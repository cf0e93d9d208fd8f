import type { AnyTool } from '@croft/tools';
import type { Parts } from '../parts.ts';

/**
 * Tools over files of a machine: that of the caller's daemon, else the server's own where its local user allowed it, else
 * none. The caller's switch covers both: while it is off there are no tools, also after a paused machine disconnects.
 *
 * @throws what the store throws
 */
export async function machineTools(
  parts: Pick<Parts, 'hub' | 'localAccess'>,
  userId: string,
): Promise<readonly AnyTool[]> {
  const { connected, enabled } = await parts.hub.loadStatus(userId);
  if (!enabled) return [];
  return connected ? parts.hub.toolsFor(userId) : parts.localAccess.toolsFor(userId);
}

/** What a tool of a machine is called beside one of the workspace that has its name already. */
const BESIDE = 'machine_';
const MAX_NAME_CHARS = 64;

/**
 * Tools of a machine for a list that has others: a name that is taken there gets `machine_` before it, so that neither
 * hides the other and none can pass for the server's own. What still has no name of its own is left out.
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

/** Renamed once each, as their listing is derived once. */
const renamedTools = new WeakMap<AnyTool, AnyTool>();

function renameTool(tool: AnyTool, name: string): AnyTool {
  const known = renamedTools.get(tool);
  if (known !== undefined) return known;
  // Whatever else it has stays, methods of a class included.
  const renamed: AnyTool = Object.create(tool, {
    name: { value: name, enumerable: true },
    description: { value: `On the connected machine. ${tool.description}`, enumerable: true },
  });
  renamedTools.set(tool, renamed);
  return renamed;
}
