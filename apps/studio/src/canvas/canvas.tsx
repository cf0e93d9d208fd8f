import './canvas.css';
import {
  applyNodeChanges,
  Background,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  useReactFlow,
} from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { ComponentCard } from './component-node.tsx';
import { type CanvasNode, firstView, type Graph, toDocument } from './graph.ts';
import type { Positions } from './move-queue.ts';
import { NoteCard } from './note-card.tsx';

const NODE_TYPES = { component: ComponentCard, note: NoteCard };
const FIT = { padding: 0.08, maxZoom: 1, minZoom: 0.1 };
const MAP_SIZE = { width: 140, height: 96 };
/** From this size on only the visible nodes exist as elements. */
const CULLED_FROM = 100;

/** The drawing of a flow. Dragging a node, or moving it with the arrow keys, calls `onMove`. */
export function Canvas({
  graph,
  onMove,
  onReady,
}: {
  graph: Graph;
  onMove: (positions: Positions) => void;
  onReady: (instance: ReactFlowInstance<CanvasNode>) => void;
}) {
  const [nodes, setNodes] = useState<CanvasNode[]>([...graph.nodes]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setNodes((before) => withMeasures(graph.nodes, before)), [graph]);
  function change(changes: NodeChange<CanvasNode>[]) {
    setNodes((before) => applyNodeChanges(changes, before));
    const moved: Record<string, { x: number; y: number }> = {};
    for (const each of changes)
      if (each.type === 'position' && each.position && each.dragging !== true)
        moved[each.id] = toDocument(each.position);
    if (Object.keys(moved).length > 0) onMove(moved);
  }
  function open(instance: ReactFlowInstance<CanvasNode>) {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    void instance.setViewport(firstView(graph.nodes, clientWidth, clientHeight));
    onReady(instance);
  }
  return (
    <ReactFlow<CanvasNode>
      ref={box}
      aria-label="Canvas"
      nodes={nodes}
      edges={graph.edges as Graph['edges'][number][]}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onInit={open}
      nodesConnectable={false}
      edgesFocusable={false}
      deleteKeyCode={null}
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
    </ReactFlow>
  );
}

/** Keeps what React Flow added to nodes: their size and selection. A node that is dragged keeps its place. */
function withMeasures(next: readonly CanvasNode[], before: readonly CanvasNode[]): CanvasNode[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return next.map((each) => {
    const old = known.get(each.id);
    if (old === undefined) return each;
    const { measured, selected, dragging } = old;
    return { ...each, measured, selected, dragging, ...(dragging && { position: old.position }) } as CanvasNode;
  });
}

function ViewButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const look = 'border-line bg-surface';
  return (
    <Panel position="bottom-left" className="flex gap-1">
      <IconButton label="Zoom in" className={look} onClick={() => void zoomIn()}>
        <ZoomIn size={17} />
      </IconButton>
      <IconButton label="Zoom out" className={look} onClick={() => void zoomOut()}>
        <ZoomOut size={17} />
      </IconButton>
      <IconButton label="Fit the view" className={look} onClick={() => void fitView(FIT)}>
        <Maximize size={17} />
      </IconButton>
    </Panel>
  );
}
