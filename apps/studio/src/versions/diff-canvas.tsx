import '../canvas/canvas.css';
import type { FlowDocument } from '@croft/flow';
import {
  Background,
  type Node,
  type NodeProps,
  ReactFlow,
  type ReactFlowInstance,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import { ComponentCard } from '../canvas/component-node.tsx';
import { FarView } from '../canvas/far-view.tsx';
import { type CanvasNode, graphOf } from '../canvas/graph.ts';
import { NoteCard } from '../canvas/note-card.tsx';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { FIT } from '../canvas/first-view.ts';
import { fitted, isSameView, type Size } from '../canvas/resized-view.ts';
import { ViewButtons } from '../canvas/view-buttons.tsx';
import { Wire, type WireEdge } from '../editing/wire.tsx';
import { cn } from '../ui/class-names.ts';
import { type Change, type FlowDiff, unionOf } from './flow-diff.ts';

type DiffNode = Node<CanvasNode['data'] & { readonly change: Change | undefined }, 'component' | 'note'>;
export type DiffInstance = ReactFlowInstance<DiffNode, WireEdge>;

export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
};

const NODE_TYPES = {
  component: memo(function DiffComponent(node: NodeProps<DiffNode>) {
    return (
      <Marked change={node.data.change}>
        <ComponentCard {...(node as unknown as Parameters<typeof ComponentCard>[0])} />
      </Marked>
    );
  }),
  note: memo(function DiffNote(node: NodeProps<DiffNode>) {
    return (
      <Marked change={node.data.change}>
        <NoteCard {...(node as unknown as Parameters<typeof NoteCard>[0])} />
      </Marked>
    );
  }),
};
const EDGE_TYPES = { wire: Wire };

/** Two versions in one drawing. Shows what the earlier one has, what the later one has, and what differs. */
export function DiffCanvas({
  before,
  after,
  registry,
  diff,
  onReady,
}: {
  before: FlowDocument;
  after: FlowDocument;
  registry: ComponentsRegistry;
  diff: FlowDiff;
  onReady: (instance: DiffInstance) => void;
}) {
  // Not the states of the run on the page.
  const [noRun] = useState(createRunStore);
  const { nodes, edges } = useMemo(() => drawn(before, after, registry, diff), [before, after, registry, diff]);
  return (
    <RunStoreContext value={noRun}>
      <ReactFlow<DiffNode, WireEdge>
        aria-label="Differences on the canvas"
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onInit={(instance) => {
          onReady(instance);
          void instance.fitView(FIT);
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        deleteKeyCode={null}
        onlyRenderVisibleElements={nodes.length > 100}
        minZoom={0.1}
        maxZoom={1.5}
      >
        <Background gap={22} size={1.5} />
        <FarView />
        <ViewButtons />
        <KeepFitted />
      </ReactFlow>
    </RunStoreContext>
  );
}

/** Fits the flow again when the canvas gets another size, unless the user moved the view. */
function KeepFitted() {
  const { getNodes, getNodesBounds, getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const before = useRef<Size>(undefined);
  useEffect(() => {
    const old = before.current;
    const size = { width, height };
    if (width > 0 && height > 0) before.current = size;
    if (old === undefined || before.current !== size) return;
    const bounds = getNodesBounds(getNodes());
    if (isSameView(getViewport(), fitted(bounds, old))) void setViewport(fitted(bounds, size));
  }, [width, height, getNodes, getNodesBounds, getViewport, setViewport]);
  return null;
}

function drawn(before: FlowDocument, after: FlowDocument, registry: ComponentsRegistry, diff: FlowDiff) {
  const graph = graphOf(unionOf(before, after), registry, true);
  const changes = new Map(diff.items.map(({ id, change }) => [id, change]));
  const nodes = graph.nodes.map((node): DiffNode => {
    const change = changes.get(node.id);
    const label = change === undefined ? node.ariaLabel : `${CHANGE_WORDS[change]}: ${node.ariaLabel ?? ''}`;
    return { ...node, ariaLabel: label, data: { ...node.data, change } };
  });
  const wires = new Map(diff.edges.map(({ edge, change }) => [edge, change]));
  const edges = graph.edges.map((edge): WireEdge => {
    const change = edge.data && wires.get(edge.data.edge);
    return {
      ...edge,
      className: change === undefined ? 'opacity-40' : '',
      style:
        change === 'added'
          ? { stroke: 'var(--color-accent)', strokeWidth: 4 }
          : change === 'removed'
            ? { stroke: 'var(--color-bad)', strokeWidth: 3, strokeDasharray: '8 6' }
            : edge.style,
    };
  });
  return { nodes, edges };
}

const LOOKS: Readonly<Record<Change, string>> = {
  added: 'ring-2 ring-accent',
  removed: 'outline-2 outline-dashed outline-bad *:opacity-70',
  changed: 'ring-2 ring-warn',
};
const BADGES: Readonly<Record<Change, string>> = {
  added: 'border-accent/40 bg-accent-soft text-accent-strong',
  removed: 'border-bad/40 bg-bad-soft text-bad',
  changed: 'border-warn/40 bg-warn-soft text-warn',
};

function Marked({ change, children }: { change: Change | undefined; children: ReactNode }) {
  return (
    <div className="relative h-full">
      <div className={cn('card-frame h-full rounded-lg', change ? LOOKS[change] : 'opacity-60')}>{children}</div>
      {change && (
        <span
          className={cn('absolute -top-3 left-2 rounded-full border px-2 py-0.5 text-xs font-semibold', BADGES[change])}
        >
          {CHANGE_WORDS[change]}
        </span>
      )}
    </div>
  );
}
