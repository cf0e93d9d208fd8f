import type { FlowDocument } from '@croft/flow';
import { problem } from '../routes/route.ts';

/** The components at which a run begins and ends. */
export interface RunPart {
  readonly startAt?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * The part of a flow that a run needs. With `until`, that component and everything that leads to it; else the component
 * `startAt`, everything that follows it, and everything that leads to these.
 *
 * @throws Problem `invalid` where the flow has no such component, or `startAt` does not lead to `until`
 */
export function partOfFlow(flow: FlowDocument, { startAt, until }: RunPart): FlowDocument {
  if (startAt === undefined && until === undefined) return flow;
  for (const [name, id] of Object.entries({ startAt, until }))
    if (id !== undefined && !flow.nodes.some((node) => node.id === id))
      throw problem('invalid', `${name}: The flow has no component '${id}'.`);
  const ends = until === undefined ? reachable(flow, [startAt as string], 'forward') : [until];
  const needed = reachable(flow, ends, 'back');
  if (startAt !== undefined && !needed.has(startAt))
    throw problem('invalid', `startAt: '${startAt}' does not lead to '${until}'.`);
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => needed.has(id)),
    edges: flow.edges.filter(({ from, to }) => needed.has(from.node) && needed.has(to.node)),
    groups: flow.groups.map((group) => ({ ...group, nodes: group.nodes.filter((id) => needed.has(id)) })),
  };
}

function reachable(flow: FlowDocument, starts: Iterable<string>, direction: 'forward' | 'back'): Set<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of flow.edges) {
    const [one, other] = direction === 'forward' ? [from.node, to.node] : [to.node, from.node];
    const known = next.get(one);
    if (known) known.push(other);
    else next.set(one, [other]);
  }
  const found = new Set(starts);
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other);
  return found;
}
