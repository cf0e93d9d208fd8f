import type { FlowEdge } from '@croft/flow';
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  getSmoothStepPath,
  useStore,
} from '@xyflow/react';
import { Plus, X } from 'lucide-react';
import { memo, useContext } from 'react';
import { IconButton } from '../ui/button.tsx';
import { turnOf } from './back-wire.ts';
import { EditingContext } from './editing-context.ts';

export type WireEdge = Edge<{ readonly edge: FlowEdge }, 'wire'>;

/** A connection. Selected, it offers to insert a component or to remove it. */
export const Wire = memo(function Wire(props: EdgeProps<WireEdge>) {
  return props.targetX < props.sourceX ? <BackWire {...props} /> : <Drawn {...props} drawn={getBezierPath(props)} />;
});

/** A connection to the left, as in a loop. It passes the components instead of crossing behind them. */
function BackWire(props: EdgeProps<WireEdge>) {
  const turnY = useStore((state) => turnOf(state, props));
  const turn = { borderRadius: 16, offset: 24, ...(turnY !== undefined && { centerY: turnY }) };
  return <Drawn {...props} drawn={getSmoothStepPath({ ...props, ...turn })} />;
}

function Drawn({
  id,
  selected,
  style,
  data,
  drawn: [path, x, y],
}: EdgeProps<WireEdge> & { drawn: readonly [path: string, x: number, y: number, ...unknown[]] }) {
  return (
    <>
      <BaseEdge id={id} path={path} style={style} interactionWidth={24} />
      {selected && data && <WireButtons x={x} y={y} edge={data.edge} />}
    </>
  );
}

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
