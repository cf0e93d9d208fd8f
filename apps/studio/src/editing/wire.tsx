import type { FlowEdge } from '@croft/flow';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { Plus, X } from 'lucide-react';
import { memo, useContext } from 'react';
import { IconButton } from '../ui/button.tsx';
import { EditingContext } from './editing-context.ts';

export type WireEdge = Edge<{ readonly edge: FlowEdge }, 'wire'>;

/** A connection. Selected, it offers to insert a component or to remove it. */
export const Wire = memo(function Wire({
  id,
  sourceX,
  sourceY,
  sourcePosition,
  targetX,
  targetY,
  targetPosition,
  selected,
  style,
  data,
}: EdgeProps<WireEdge>) {
  const [path, x, y] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  return (
    <>
      <BaseEdge id={id} path={path} style={style} interactionWidth={24} />
      {selected && data && <WireButtons x={x} y={y} edge={data.edge} />}
    </>
  );
});

function WireButtons({ x, y, edge }: { x: number; y: number; edge: FlowEdge }) {
  const editing = useContext(EditingContext);
  if (!editing) return null;
  return (
    <EdgeLabelRenderer>
      <div
        className="nodrag nopan pointer-events-auto absolute z-10 flex rounded-lg border border-line bg-raised p-0.5 shadow-float"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        <IconButton label="Insert a component here (A)" className="size-8" onClick={() => editing.insertOn(edge)}>
          <Plus size={16} />
        </IconButton>
        <IconButton label="Remove this connection (Delete)" className="size-8" onClick={() => editing.disconnect(edge)}>
          <X size={16} />
        </IconButton>
      </div>
    </EdgeLabelRenderer>
  );
}
