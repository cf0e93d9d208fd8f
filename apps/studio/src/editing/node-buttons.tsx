import { useStore } from '@xyflow/react';
import { Copy, RotateCw, Spline, Trash2 } from 'lucide-react';
import { useContext } from 'react';
import { useRunFrom } from '../inspector/run-from.ts';
import { CardButton, CardToolbar } from '../canvas/card-toolbar.tsx';
import { EditingContext } from './editing-context.ts';

/** The buttons above the only selected component. */
export function NodeButtons({ id, canConnect }: { id: string; canConnect: boolean }) {
  const editing = useContext(EditingContext);
  const isOnly = useStore(({ nodes }) => nodes.filter(({ selected }) => selected === true).length === 1);
  const runFrom = useRunFrom(id);
  if (!editing || !isOnly) return null;
  return (
    <CardToolbar id={id}>
      {canConnect && (
        <CardButton label="Connect (C)" onClick={() => editing.openConnect(id)}>
          <Spline size={16} />
        </CardButton>
      )}
      {runFrom && (
        <CardButton label="Run from here" onClick={runFrom}>
          <RotateCw size={16} />
        </CardButton>
      )}
      <CardButton label="Duplicate" onClick={() => editing.duplicate(id)}>
        <Copy size={16} />
      </CardButton>
      <CardButton label="Delete" onClick={() => editing.remove(id)}>
        <Trash2 size={16} />
      </CardButton>
    </CardToolbar>
  );
}
