import './canvas.css';
import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CanvasActions, Surface } from '../editing/canvas-actions.ts';
import { DRAGGED } from '../editing/palette.tsx';
import { type DroppedWire, useWires } from '../editing/use-wires.ts';
import { Wire, type WireEdge } from '../editing/wire.tsx';
import { ComponentCard } from './component-node.tsx';
import { type CanvasNode, firstView, type Graph, toDocument } from './graph.ts';
import { NoteCard } from './note-card.tsx';
import { surfaceOf } from './surface.ts';
import { ViewButtons } from './view-buttons.tsx';

const NODE_TYPES = { component: ComponentCard, note: NoteCard };
const EDGE_TYPES = { wire: Wire };
const MAP_SIZE = { width: 140, height: 96 };
const SEVERAL = ['Meta', 'Control'];
/** From this size on only the visible nodes exist as elements. */
const CULLED_FROM = 100;

/** Handles of the drawing for the page. */
export interface Drawing extends Surface {
  readonly instance: ReactFlowInstance<CanvasNode, WireEdge>;
}

/** The drawing of a flow. Changes that a person makes go to `actions`; they are absent where the flow is read-only. */
export function Canvas({
  graph,
  actions,
  onReady,
  onSelect,
  onDropped,
  children,
}: {
  graph: Graph;
  actions: CanvasActions | undefined;
  onReady: (drawing: Drawing) => void;
  /** The selected components and notes. */
  onSelect: (ids: readonly string[]) => void;
  /** A wire was dropped where no port is. */
  onDropped: (wire: DroppedWire) => void;
  children?: ReactNode;
}) {
  const [nodes, setNodes] = useState<CanvasNode[]>([...graph.nodes]);
  const [edges, setEdges] = useState<WireEdge[]>([...graph.edges]);
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  /** Ids to select once they are drawn. */
  const wanted = useRef<readonly string[]>(undefined);
  const wires = useWires(actions, onDropped);
  useEffect(() => {
    const chosen = wanted.current && new Set(wanted.current);
    wanted.current = undefined;
    setNodes((before) => withMeasures(graph.nodes, before, chosen));
    setEdges((before) => withSelection(graph.edges, before, chosen !== undefined));
    const [first] = chosen ?? [];
    if (first !== undefined) drawing.current?.show(first);
  }, [graph]);
  const selected = JSON.stringify(nodes.flatMap((node) => (node.selected ? [node.id] : [])));
  useEffect(() => onSelect(JSON.parse(selected) as string[]), [selected, onSelect]);
  function change(changes: NodeChange<CanvasNode>[]) {
    setNodes((before) => applyNodeChanges(changes, before));
    const moved: Record<string, { x: number; y: number }> = {};
    for (const each of changes) {
      // While a note is resized, changes of its position do not say whether it is dragged.
      if (each.type !== 'position' || !each.position || each.dragging !== false) continue;
      const place = toDocument(each.position);
      const old = graph.nodes.find(({ id }) => id === each.id);
      const known = old && toDocument(old.position);
      if (known?.x !== place.x || known.y !== place.y) moved[each.id] = place;
    }
    if (Object.keys(moved).length > 0) actions?.move(moved);
  }
  function open(instance: ReactFlowInstance<CanvasNode, WireEdge>) {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    void instance.setViewport(firstView(graph.nodes, clientWidth, clientHeight));
    drawing.current = {
      instance,
      ...surfaceOf(instance, box, (ids, isDrawn) => {
        if (!isDrawn) wanted.current = ids;
        else setNodes((before) => before.map((each) => ({ ...each, selected: ids.includes(each.id) })));
      }),
    };
    onReady(drawing.current);
  }
  return (
    <ReactFlow<CanvasNode, WireEdge>
      ref={box}
      aria-label="Canvas"
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodesChange={change}
      onEdgesChange={(changes: EdgeChange<WireEdge>[]) => setEdges((before) => applyEdgeChanges(changes, before))}
      onInit={open}
      {...wires}
      onDragOver={(event) => {
        if (actions && event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
      }}
      onDrop={(event) => {
        const type = event.dataTransfer.getData(DRAGGED);
        const at = drawing.current?.instance.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        if (type === '' || !at) return;
        event.preventDefault();
        const id =
          event.target instanceof Element && event.target.closest('.react-flow__edge')?.getAttribute('data-id');
        const instead = edges.find((edge) => edge.id === id)?.data?.edge;
        const place = { at: { x: at.x - 124, y: at.y - 20 } };
        if (!instead || actions?.add(type, { ...place, from: instead.from, to: instead.to, instead }) !== true)
          actions?.add(type, place);
      }}
      edgesFocusable={actions !== undefined}
      deleteKeyCode={null}
      multiSelectionKeyCode={SEVERAL}
      onlyRenderVisibleElements={graph.nodes.length > CULLED_FROM}
      minZoom={0.1}
      maxZoom={1.5}
    >
      <Background gap={22} size={1.5} />
      <MiniMap
        style={MAP_SIZE}
        pannable
        zoomable
        ariaLabel="Map of the flow"
        className="rounded-md border border-line max-md:hidden"
      />
      <ViewButtons />
      {children}
    </ReactFlow>
  );
}

/** Keeps what React Flow added to nodes: their size and selection. A node that is dragged keeps its place. */
function withMeasures(
  next: readonly CanvasNode[],
  before: readonly CanvasNode[],
  chosen: ReadonlySet<string> | undefined,
): CanvasNode[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return next.map((each) => {
    const old = known.get(each.id);
    const selected = chosen ? chosen.has(each.id) : old?.selected;
    if (old === undefined) return selected ? { ...each, selected } : each;
    const { measured, dragging } = old;
    const isSame = old.data === each.data && old.position === each.position && old.selected === selected;
    if (isSame && old.height === each.height && old.draggable === each.draggable) return old;
    return { ...each, measured, selected, dragging, ...(dragging && { position: old.position }) } as CanvasNode;
  });
}

function withSelection(next: readonly WireEdge[], before: readonly WireEdge[], isCleared: boolean): WireEdge[] {
  const selected = new Set(isCleared ? [] : before.filter((each) => each.selected).map(({ id }) => id));
  return next.map((each) => (selected.has(each.id) ? { ...each, selected: true } : each));
}
