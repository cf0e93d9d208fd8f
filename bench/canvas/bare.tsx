// The page that Croft's canvas is compared with: React Flow with memoised nodes and culling, and nothing else.
import '@xyflow/react/dist/base.css';
import { applyNodeChanges, Background, type Edge, Handle, type Node, Position, ReactFlow } from '@xyflow/react';
import { memo, useCallback, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface Bench {
  readonly nodes: readonly { readonly id: string; readonly position: { readonly x: number; readonly y: number } }[];
  readonly edges: readonly {
    readonly from: { readonly node: string };
    readonly to: { readonly node: string; readonly port: string };
  }[];
  readonly scale: { readonly x: number; readonly y: number };
  readonly view: { readonly x: number; readonly y: number; readonly zoom: number };
}

declare const BENCH: Bench;

const Card = memo(function Card({ id }: { id: string }) {
  return (
    <div className="card">
      <Handle type="target" id="first" position={Position.Left} />
      <b>Prompt template</b>
      <p>{id}</p>
      <p>Say first and second</p>
      <Handle type="source" id="prompt" position={Position.Right} />
    </div>
  );
});

const NODE_TYPES = { card: Card };
const DATA = {};
const first: Node[] = BENCH.nodes.map(({ id, position }) => ({
  id,
  type: 'card',
  position: { x: position.x * BENCH.scale.x, y: position.y * BENCH.scale.y },
  width: 248,
  initialHeight: 150,
  data: DATA,
}));
const edges: Edge[] = BENCH.edges.map(({ from, to }) => ({
  id: `${from.node} ${to.node} ${to.port}`,
  source: from.node,
  sourceHandle: 'prompt',
  target: to.node,
  targetHandle: 'first',
}));

function Page() {
  const [nodes, setNodes] = useState(first);
  const change = useCallback(
    (changes: Parameters<typeof applyNodeChanges>[0]) => setNodes((before) => applyNodeChanges(changes, before)),
    [],
  );
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onlyRenderVisibleElements
      defaultViewport={BENCH.view}
      minZoom={0.1}
    >
      <Background />
    </ReactFlow>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
