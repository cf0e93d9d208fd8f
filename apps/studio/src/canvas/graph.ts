import type { FlowDocument, FlowNode, FlowNote, Position, PortType } from '@croft/flow';
import type { Edge, Node } from '@xyflow/react';
import { type EdgePorts, type NodeView, viewNode } from './node-view.ts';

export type ComponentNode = Node<{ readonly view: NodeView }, 'component'>;
export type NoteNode = Node<{ readonly text: string }, 'note'>;
export type CanvasNode = ComponentNode | NoteNode;

/** What React Flow draws. */
export interface Graph {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly Edge[];
  readonly views: ReadonlyMap<string, NodeView>;
}

type Components = Parameters<typeof viewNode>[1];

/** The width of a component on the canvas. */
const NODE_WIDTH = 248;
/** Documents use the distances of larger nodes: columns are 600 apart and rows 350. The canvas draws them closer together. */
const SCALE = { x: 0.54, y: 0.7 };

/** Where the canvas draws a position of the document. */
export const toCanvas = ({ x, y }: Position): Position => ({ x: x * SCALE.x, y: y * SCALE.y });

/** The position of the document for a place on the canvas. */
export const toDocument = ({ x, y }: Position): Position => ({
  x: Math.round(x / SCALE.x),
  y: Math.round(y / SCALE.y),
});

/** The document with other positions. Nodes that do not move stay the same objects. */
export function withPositions(flow: FlowDocument, positions: Readonly<Record<string, Position>>): FlowDocument {
  const move = <T extends FlowNode | FlowNote>(each: T): T => {
    const position = positions[each.id];
    return position === undefined ? each : { ...each, position };
  };
  return { ...flow, nodes: flow.nodes.map(move), notes: flow.notes.map(move) };
}

/** Creates the graph of a document. Pure: the same document gives the same graph. */
export function graphOf(flow: FlowDocument, components: Components, isReadOnly: boolean): Graph {
  const wired = wiredPorts(flow);
  const views = new Map(flow.nodes.map((node) => [node.id, viewNode(node, components, wired.get(node.id))]));
  const nodes: CanvasNode[] = flow.notes.map((note) => ({
    id: note.id,
    type: 'note',
    position: toCanvas(note.position),
    width: note.size.width * SCALE.x,
    height: note.size.height * SCALE.y,
    zIndex: -1,
    draggable: !isReadOnly,
    ariaLabel: 'Note',
    data: { text: note.text },
  }));
  for (const node of flow.nodes) {
    const view = views.get(node.id) as NodeView;
    nodes.push({
      id: node.id,
      type: 'component',
      position: toCanvas(node.position),
      width: NODE_WIDTH,
      initialHeight: heightOf(view),
      draggable: !isReadOnly,
      ariaLabel: labelOf(view, flow, views),
      data: { view },
    });
  }
  const edges = flow.edges.map(({ from, to }): Edge => {
    const output = views.get(from.node)?.outputs.find(({ name }) => name === from.port);
    const input = views.get(to.node)?.inputs.find(({ name }) => name === to.port);
    const types = (output?.isInferred ? input : output)?.types ?? [];
    return {
      id: JSON.stringify([from.node, from.port, to.node, to.port]),
      source: from.node,
      sourceHandle: from.port,
      target: to.node,
      targetHandle: to.port,
      style: { stroke: portColor(types) },
    };
  });
  return { nodes, edges, views };
}

/** The height of a component before a run, about. */
function heightOf({ fields, inputs, outputs }: NodeView): number {
  const ports = Math.max(inputs.length, outputs.length);
  return 55 + (fields.length > 0 ? 16 + fields.length * 20 : 0) + (ports > 0 ? 16 + ports * 20 : 0);
}

/** The smallest zoom at which a whole flow is shown when it opens, and the zoom of larger flows. */
const READABLE = { whole: 0.4, part: 0.6 };
const MARGIN = 28;

/**
 * The first view of a flow: all of it where that is readable, else its start. Width and height are those of the canvas on
 * the page.
 */
export function firstView(nodes: readonly CanvasNode[], width: number, height: number) {
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const right = Math.max(...nodes.map((each) => each.position.x + (each.width ?? 0)));
  const bottom = Math.max(...nodes.map((each) => each.position.y + (each.height ?? each.initialHeight ?? 0)));
  const fit = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top), 1);
  if (fit >= READABLE.whole)
    return { x: (width - (left + right) * fit) / 2, y: (height - (top + bottom) * fit) / 2, zoom: fit };
  const first = nodes.find(({ position }) => position.x === left)?.position.y ?? top;
  return { x: MARGIN - left * READABLE.part, y: height / 3 - first * READABLE.part, zoom: READABLE.part };
}

/** The ports that edges name, by node. */
function wiredPorts({ edges }: FlowDocument): Map<string, EdgePorts> {
  const wired = new Map<string, { inputs: Set<string>; outputs: Set<string> }>();
  const of = (id: string) => {
    const found = wired.get(id) ?? { inputs: new Set<string>(), outputs: new Set<string>() };
    wired.set(id, found);
    return found;
  };
  for (const { from, to } of edges) {
    of(from.node).outputs.add(from.port);
    of(to.node).inputs.add(to.port);
  }
  return wired;
}

/** The name of a node for screen readers, with the nodes that it leads to. */
function labelOf(view: NodeView, { edges }: FlowDocument, views: ReadonlyMap<string, NodeView>): string {
  const next = new Set<string>();
  for (const { from, to } of edges) if (from.node === view.id) next.add(views.get(to.node)?.title ?? to.node);
  return next.size === 0 ? view.title : `${view.title}, leads to ${[...next].join(', ')}`;
}

const COLORS: Readonly<Record<PortType, string>> = {
  Message: 'var(--color-port-message)',
  Data: 'var(--color-port-data)',
  Table: 'var(--color-port-table)',
  LanguageModel: 'var(--color-port-model)',
  Embeddings: 'var(--color-port-embeddings)',
  Tool: 'var(--color-port-tool)',
  File: 'var(--color-port-file)',
  Any: 'var(--color-edge)',
};

/** The colour of a port: that of its first type. */
export const portColor = (types: readonly PortType[]): string => COLORS[types[0] ?? 'Any'] ?? COLORS.Any;
