import { NodeToolbar, Position, useStore } from '@xyflow/react';
import { Copy, RotateCw, Spline, Trash2 } from 'lucide-react';
import { useContext } from 'react';
import { useRunFrom } from '../inspector/run-from.ts';
import { IconButton } from '../ui/button.tsx';
import { EditingContext } from './editing-context.ts';

/** The buttons above the only selected component. */
export function NodeButtons({ id, canConnect }: { id: string; canConnect: boolean }) {
  const editing = useContext(EditingContext);
  const isOnly = useStore(({ nodes }) => nodes.filter(({ selected }) => selected === true).length === 1);
  const runFrom = useRunFrom(id);
  if (!editing || !isOnly) return null;
  return (
    <NodeToolbar
      nodeId={id}
      isVisible
      position={Position.Top}
      offset={8}
      className="flex rounded-lg border border-line bg-raised p-0.5 shadow-float"
    >
      {canConnect && (
        <IconButton label="Connect (C)" className="size-8" onClick={() => editing.openConnect(id)}>
          <Spline size={16} />
        </IconButton>
      )}
      {runFrom && (
        <IconButton label="Run from here" className="size-8" onClick={runFrom}>
          <RotateCw size={16} />
        </IconButton>
      )}
      <IconButton label="Duplicate" className="size-8" onClick={() => editing.duplicate(id)}>
        <Copy size={16} />
      </IconButton>
      <IconButton label="Delete" className="size-8" onClick={() => editing.remove(id)}>
        <Trash2 size={16} />
      </IconButton>
    </NodeToolbar>
  );
}
