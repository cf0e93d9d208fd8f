import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  layoutFlow,
  freshNodeId,
  type PortRef,
  type Registry,
} from '@croft/flow';
import type { Refused } from './component-values.ts';

const COLUMN = 600;
const ROW = 350;

/** A new component of this type, with an id that is free and at a place that no component covers. */
export function newComponent(flow: FlowDocument, registry: Registry, type: string): FlowNode | Refused {
  const entry = registry.get(type);
  if (entry === undefined)
    return {
      error: `Unknown component: ${type.slice(0, 100)}. Call search_components to find the type.`,
      summary: `There is no component of the type “${type.slice(0, 100)}”. The palette of the canvas and \`croft components\` list the types.`,
    };
  const taken = new Set([...flow.nodes, ...flow.notes, ...flow.groups].map(({ id }) => id));
  const id = freshNodeId(entry.descriptor.type, (one) => taken.has(one));
  return { id, type: entry.descriptor.type, position: freePlace(flow), values: {} };
}

/** The connections between two components; an empty port stands for all of them. */
export function edgesBetween({ edges }: Pick<FlowDocument, 'edges'>, from: PortRef, to: PortRef): FlowEdge[] {
  return edges.filter(
    (edge) =>
      edge.from.node === from.node &&
      edge.to.node === to.node &&
      (from.port === '' || edge.from.port === from.port) &&
      (to.port === '' || edge.to.port === to.port),
  );
}

export const noEdges = (source: string, target: string): string =>
  `No connections found between '${source}' and '${target}'`;

/** Components that no connection touches; one alone is a flow. */
export function orphansOf({ nodes, edges }: Pick<FlowDocument, 'nodes' | 'edges'>): string[] {
  if (nodes.length <= 1) return [];
  const touched = new Set(edges.flatMap(({ from, to }) => [from.node, to.node]));
  return nodes.filter(({ id }) => !touched.has(id)).map(({ id }) => id);
}

/** The same text for flows that run alike: places of components do not count. */
export const runKeyOf = ({ nodes, edges }: Pick<FlowDocument, 'nodes' | 'edges'>): string =>
  JSON.stringify([nodes.map((node) => ({ ...node, position: null })), edges]);

/** A place that no component covers. Components of the user stay where they are. */
function freePlace(flow: FlowDocument): FlowNode['position'] {
  if (flow.nodes.length === 0)
    return (
      layoutFlow({ nodes: [{ id: 'n', type: '', position: { x: 0, y: 0 }, values: {} }], edges: [] })['n'] ?? {
        x: 0,
        y: 0,
      }
    );
  const right = Math.max(...flow.nodes.map(({ position }) => position.x));
  const column = flow.nodes.filter(({ position }) => position.x > right - COLUMN);
  const isLong = column.length >= 3;
  if (isLong) return { x: right + COLUMN, y: 0 };
  return { x: right, y: Math.max(...column.map(({ position }) => position.y)) + ROW };
}
