import {
  edgeKey,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowNote,
  type Position,
  type PortType,
} from '@croft/flow';
import type { Node } from '@xyflow/react';
import type { WireEdge } from '../editing/wire.tsx';
import { PARTS_OF_RUN } from './changed-since.ts';
import { CARD_WIDTH, cardHandles, cardHeight } from './card-size.ts';
import { type EdgePorts, type NodeView, viewNode } from './node-view.ts';

export type ComponentNode = Node<{ readonly view: NodeView }, 'component'>;
export type NoteNode = Node<{ readonly text: string }, 'note'>;
export type CanvasNode = ComponentNode | NoteNode;

/** What React Flow draws. */
export interface Graph {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly WireEdge[];
  readonly views: ReadonlyMap<string, NodeView>;
  /** The ports that edges name, as text, by node. */
  readonly ports: ReadonlyMap<string, string>;
  /** The source of each item, so that the next graph keeps those that stay the same. */
  readonly made: ReadonlyMap<string, Made>;
  /** The parts of the source that the whole graph depends on. */
  readonly source: {
    readonly edges: FlowDocument['edges'];
    readonly isReadOnly: boolean;
    readonly components: Components;
  };
}

interface Made {
  readonly from: FlowNode | FlowNote | FlowEdge;
  /** The connections that the item shows. */
  readonly wires: string;
  readonly item: CanvasNode | WireEdge;
}

type Components = Parameters<typeof viewNode>[1];

/** Documents use the distances of larger nodes: columns are 600 apart and rows 350. The canvas draws them closer together. */
const SCALE = { x: 0.54, y: 0.7 };

/** Where the canvas draws a position of the document. */
export const toCanvas = ({ x, y }: Position): Position => ({ x: x * SCALE.x, y: y * SCALE.y });

/** The position of the document for a place on the canvas. */
export const toDocument = ({ x, y }: Position): Position => ({
  x: Math.round(x / SCALE.x),
  y: Math.round(y / SCALE.y),
});

/**
 * Creates the graph of a document. Pure: the same document gives the same graph. Items of the graph before that did not
 * change stay the same objects, and are not drawn again.
 */
export function graphOf(flow: FlowDocument, components: Components, isReadOnly: boolean, last?: Graph): Graph {
  const source = { edges: flow.edges, isReadOnly, components };
  // Code that was read meanwhile changes ports of components that stayed the same.
  const before = last?.source.components === components ? last : undefined;
  const isSameWires = before?.source.edges === flow.edges && before.source.isReadOnly === isReadOnly;
  const made = new Map<string, Made>();
  const keep = <T extends CanvasNode | WireEdge>(id: string, from: Made['from'], wires: string, make: () => T): T => {
    const old = before?.made.get(id);
    const item = old?.from === from && old.wires === wires ? (old.item as T) : make();
    made.set(id, { from, wires, item });
    return item;
  };
  let all: ReturnType<typeof wiredPorts> | undefined;
  const wired = () => (all ??= wiredPorts(flow));
  const knownPorts = isSameWires ? before.ports : undefined;
  const ports = new Map(
    flow.nodes.map(({ id }) => [id, knownPorts?.get(id) ?? portsText(wired().get(id), isReadOnly)] as const),
  );
  let areViewsSame = isSameWires && before.views.size === flow.nodes.length;
  const views = new Map(
    flow.nodes.map((node) => {
      const { id } = node;
      const old = before?.made.get(id)?.from;
      const isSame = isSameBesidesPlace(old, node) && before?.ports.get(id) === ports.get(id);
      const view = isSame ? before?.views.get(id) : undefined;
      if (view === undefined) areViewsSame = false;
      return [id, view ?? viewNode(node, components, wired().get(id))];
    }),
  );
  const isChanged = (id: string) => before?.views.get(id) !== views.get(id);
  const renamed = isSameWires ? nodesBefore(flow, isChanged) : undefined;
  const next = areViewsSame ? undefined : nextNodes(flow, renamed);
  const nodes: CanvasNode[] = flow.notes.map((note) =>
    keep(note.id, note, `${isReadOnly}`, () => noteOf(note, isReadOnly)),
  );
  for (const node of flow.nodes) {
    const view = views.get(node.id) as NodeView;
    const isRelabelled = next && (renamed === undefined || renamed.has(node.id));
    const label = isRelabelled
      ? labelOf(view, next.get(node.id), views)
      : (before?.made.get(node.id)?.item.ariaLabel ?? view.title);
    nodes.push(
      keep(node.id, node, `${ports.get(node.id) ?? ''} ${label}`, () => ({
        id: node.id,
        type: 'component',
        position: toCanvas(node.position),
        width: CARD_WIDTH,
        measured: { width: CARD_WIDTH, height: cardHeight(view) },
        handles: cardHandles(view),
        draggable: !isReadOnly,
        ariaLabel: label,
        data: { view },
      })),
    );
  }
  if (areViewsSame && before) {
    for (const { id } of before.edges) made.set(id, before.made.get(id) as Made);
    return { nodes, edges: before.edges, views, ports, made, source };
  }
  const edges = flow.edges.map((edge, at): WireEdge => {
    const known = isSameWires ? before.edges[at] : undefined;
    if (known && !isChanged(edge.from.node) && !isChanged(edge.to.node)) {
      made.set(known.id, before?.made.get(known.id) as Made);
      return known;
    }
    const { id, wires, make } = wireOf(edge, views);
    return keep(id, edge, wires, make);
  });
  return { nodes, edges, views, ports, made, source };
}

function noteOf(note: FlowNote, isReadOnly: boolean): NoteNode {
  return {
    id: note.id,
    type: 'note',
    position: toCanvas(note.position),
    width: note.size.width * SCALE.x,
    height: note.size.height * SCALE.y,
    zIndex: -1,
    draggable: !isReadOnly,
    ariaLabel: 'Note',
    data: { text: note.text },
  };
}

/** The drawing of an edge, and the text on which it depends. */
function wireOf(edge: FlowEdge, views: ReadonlyMap<string, NodeView>) {
  const { from, to } = edge;
  const [source, target] = [views.get(from.node), views.get(to.node)];
  const output = source?.outputs.find(({ name }) => name === from.port);
  const input = target?.inputs.find(({ name }) => name === to.port);
  const types = (output?.isInferred ? input : output)?.types ?? [];
  const id = edgeKey(edge);
  const label = `Connection from ${output?.label ?? from.port} of ${source?.title ?? from.node} to ${input?.label ?? to.port} of ${target?.title ?? to.node}`;
  const make = (): WireEdge => ({
    id,
    type: 'wire',
    source: from.node,
    sourceHandle: from.port,
    target: to.node,
    targetHandle: to.port,
    ariaLabel: label,
    style: { stroke: portColor(types) },
    data: { edge },
  });
  return { id, wires: `${label} ${types[0] ?? ''}`, make };
}

const PARTS = ['name', 'values', ...PARTS_OF_RUN] as const;

/** Whether a component is the same, or was only moved. */
const isSameBesidesPlace = (old: Made['from'] | undefined, node: FlowNode): boolean =>
  old === node || (old !== undefined && 'values' in old && PARTS.every((part) => old[part] === node[part]));

const portsText = (ports: EdgePorts | undefined, isReadOnly: boolean): string =>
  JSON.stringify([isReadOnly, [...(ports?.inputs ?? [])], [...(ports?.outputs ?? [])]]);

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

/** The nodes whose names for screen readers may change: those with another view, and those that lead to them. */
function nodesBefore({ nodes, edges }: FlowDocument, isChanged: (id: string) => boolean): ReadonlySet<string> {
  const found = new Set(nodes.flatMap(({ id }) => (isChanged(id) ? [id] : [])));
  for (const { from, to } of edges) if (isChanged(to.node)) found.add(from.node);
  return found;
}

/** The nodes that each node leads to; of all nodes, or of `only` these. */
function nextNodes({ edges }: FlowDocument, only?: ReadonlySet<string>): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges)
    if (only === undefined || only.has(from.node)) next.set(from.node, (next.get(from.node) ?? new Set()).add(to.node));
  return next;
}

/** The name of a node for screen readers, with the nodes that it leads to. */
function labelOf(view: NodeView, next: ReadonlySet<string> = new Set(), views: ReadonlyMap<string, NodeView>): string {
  const titles = [...new Set([...next].map((id) => views.get(id)?.title ?? id))];
  return titles.length === 0 ? view.title : `${view.title}, leads to ${titles.join(', ')}`;
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
