import './canvas.css';
import type { FlowGroup } from '@croft/flow';
import {
  applyEdgeChanges,
  Background,
  type EdgeChange,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { CanvasActions } from '../editing/canvas-actions.ts';
import type { Surface } from '../editing/canvas-surface.ts';
import { DRAGGED } from '../editing/palette.tsx';
import { type DroppedWire, useWires } from '../editing/use-wires.ts';
import { Wire, type WireEdge } from '../editing/wire.tsx';
import { ComponentCard } from './component-node.tsx';
import { FIT } from './first-view.ts';
import { FarView } from './far-view.tsx';
import { FrameCard } from './frame-card.tsx';
import type { FrameNode } from './frames.ts';
import type { CanvasNode, Graph } from './graph.ts';
import { LargeMap } from './large-map.tsx';
import { NoteCard } from './note-card.tsx';
import { surfaceOf } from './surface.ts';
import { useCanvasItems } from './use-canvas-items.ts';
import { useKeptView } from './use-kept-view.ts';
import { ViewButtons } from './view-buttons.tsx';

const NODE_TYPES = { component: ComponentCard, note: NoteCard, frame: FrameCard };
const EDGE_TYPES = { wire: Wire };
const MAP_SIZE = { width: 140, height: 96 };
const SEVERAL = ['Meta', 'Control'];
/** From this size on only the visible nodes exist as elements. */
const CULLED_FROM = 100;
/** Up to this size, React Flow draws the map. */
const MAPPED_TO = 300;
const frameClass = ({ type }: { type?: string | undefined }) => (type === 'frame' ? 'opacity-30' : '');

type Instance = ReactFlowInstance<CanvasNode | FrameNode, WireEdge>;

/** Handles of the drawing for the page. */
export interface Drawing extends Surface {
  readonly instance: Instance;
}

/** The drawing of a flow. Changes that a person makes go to `actions`; they are absent where the flow is read-only. */
export function Canvas({
  graph,
  groups,
  actions,
  onReady,
  onSelect,
  onDropped,
  children,
}: {
  graph: Graph;
  groups: readonly FlowGroup[];
  actions: CanvasActions | undefined;
  onReady: (drawing: Drawing) => void;
  /** The selected components and notes. */
  onSelect: (ids: readonly string[]) => void;
  /** A wire was dropped where no port is. */
  onDropped: (wire: DroppedWire) => void;
  children?: ReactNode;
}) {
  const { items, selected, change, show, selectDrawn } = useCanvasItems(graph, groups, actions?.move);
  const [edges, setEdges] = useState<WireEdge[]>([...graph.edges]);
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  /** Ids to select once they are drawn. */
  const wanted = useRef<readonly string[]>(undefined);
  const isFitWanted = useRef(false);
  const wires = useWires(actions, onDropped);
  useEffect(() => {
    const chosen = wanted.current && new Set(wanted.current);
    wanted.current = undefined;
    show(graph, groups, chosen);
    setEdges((before) => withSelection(graph.edges, before, chosen !== undefined));
    const [first] = chosen ?? [];
    if (first !== undefined) drawing.current?.show(first);
    if (isFitWanted.current) void drawing.current?.instance.fitView(FIT);
    isFitWanted.current = false;
  }, [graph, groups, show]);
  const showFirst = useKeptView(box, drawing);
  useEffect(() => onSelect(JSON.parse(selected) as string[]), [selected, onSelect]);
  // The same function with each render: React Flow informs all its parts of another one.
  const changeEdges = useCallback(
    (changes: EdgeChange<WireEdge>[]) => setEdges((before) => applyEdgeChanges(changes, before)),
    [],
  );
  function open(instance: Instance) {
    showFirst(instance, graph.nodes);
    drawing.current = {
      instance,
      ...surfaceOf(instance, box, (ids, isDrawn) => {
        if (!isDrawn) wanted.current = ids;
        else selectDrawn(new Set(ids));
      }),
      fitNext: () => void (isFitWanted.current = true),
    };
    onReady(drawing.current);
  }
  return (
    <ReactFlow<CanvasNode | FrameNode, WireEdge>
      ref={box}
      aria-label="Canvas"
      nodes={items}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodesChange={change}
      onEdgesChange={changeEdges}
      onInit={open}
      onNodeClick={({ ctrlKey, metaKey, shiftKey }, { id }) => {
        // The selection does not change, but the column beside the canvas may show something else.
        if (selected === JSON.stringify([id]) && !ctrlKey && !metaKey && !shiftKey) onSelect([id]);
      }}
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
      <Background gap={22} size={2} />
      <FarView />
      {graph.nodes.length > MAPPED_TO && <LargeMap nodes={graph.nodes} />}
      {graph.nodes.length > 0 && graph.nodes.length <= MAPPED_TO && (
        <MiniMap
          style={MAP_SIZE}
          pannable
          zoomable
          ariaLabel="Map of the flow"
          nodeClassName={frameClass}
          className="overflow-hidden rounded-md border border-line max-md:hidden"
        />
      )}
      <ViewButtons />
      {children}
    </ReactFlow>
  );
}

/** Edges of a document with the selection of those before. The same list where nothing changes: React Flow reads each edge of another. */
function withSelection(next: readonly WireEdge[], before: WireEdge[], isCleared: boolean): WireEdge[] {
  const selected = new Set(isCleared ? [] : before.filter((each) => each.selected).map(({ id }) => id));
  const edges = next.map((each) => (selected.has(each.id) ? { ...each, selected: true } : each));
  const isSame =
    selected.size === 0 && edges.length === before.length && edges.every((each, at) => each === before[at]);
  return isSame ? before : edges;
}
