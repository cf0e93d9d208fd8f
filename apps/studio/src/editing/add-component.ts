import {
  applyEdits,
  connectPorts,
  type Edit,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  freshNodeId,
  type PortRef,
  type Position,
} from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { bestPort, findPort } from './fitting-ports.ts';

/** Where a new component comes, and what it is connected to. */
export interface Addition {
  readonly type: string;
  /** Of the document. */
  readonly position: Position;
  /** An output that feeds it. */
  readonly from?: PortRef | undefined;
  /** An input that it feeds. */
  readonly to?: PortRef | undefined;
  /** The edge in whose place it comes. */
  readonly instead?: FlowEdge | undefined;
  /** Its ports, where the first ones that fit are not the right ones. */
  readonly ports?: { readonly input: string; readonly output: string };
}

/** The edits of an addition and the id of the new node; undefined where no port fits. */
export function additionOf(flow: FlowDocument, registry: ComponentsRegistry, addition: Addition) {
  const { type, position, from, to, instead, ports } = addition;
  const entry = registry.get(type);
  if (entry === undefined) return undefined;
  const node: FlowNode = { id: freshId(flow, type), type, position, values: {} };
  const edits: Edit[] = [{ kind: 'add_component', node }];
  if (instead !== undefined) edits.push({ kind: 'disconnect', edge: instead });
  const ends = [from && { side: 'output' as const, ...from }, to && { side: 'input' as const, ...to }];
  for (const end of ends) {
    if (end === undefined) continue;
    const other = flow.nodes.find(({ id }) => id === end.node);
    const types = other && findPort(end.side, other, registry, end.port)?.types;
    const wanted = end.side === 'output' ? ports?.input : ports?.output;
    const port = types && (wanted ?? bestPort(end, types, node, entry)?.name);
    if (port === undefined) return undefined;
    const own = { node: node.id, port };
    const outer = { node: end.node, port: end.port };
    const edge = end.side === 'output' ? { from: outer, to: own } : { from: own, to: outer };
    edits.push(...connectPorts(applyEdits(flow, edits).flow, registry, edge));
  }
  return { id: node.id, edits };
}

/** Whether a component has ports for the ends of an addition. */
export function fitsAddition(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  { from, to }: Pick<Addition, 'from' | 'to'>,
): (type: string) => boolean {
  const typesAt = (side: 'output' | 'input', ref: PortRef | undefined) => {
    const node = ref && flow.nodes.find(({ id }) => id === ref.node);
    return node && findPort(side, node, registry, ref.port)?.types;
  };
  const [given, wanted] = [typesAt('output', from), typesAt('input', to)];
  if ((from && given === undefined) || (to && wanted === undefined)) return () => false;
  return (type) => {
    const entry = registry.get(type);
    if (entry === undefined) return false;
    const node: FlowNode = { id: type, type, position: { x: 0, y: 0 }, values: {} };
    return (
      (given === undefined || bestPort({ side: 'output' }, given, node, entry) !== undefined) &&
      (wanted === undefined || bestPort({ side: 'input' }, wanted, node, entry) !== undefined)
    );
  };
}

/** An id that no part of the flow has. */
export function freshId({ nodes, notes, groups }: FlowDocument, type: string): string {
  return freshNodeId(type, (id) => [...nodes, ...notes, ...groups].some((each) => each.id === id));
}
