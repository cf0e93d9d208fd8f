import { Panel, useReactFlow } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '../ui/button.tsx';
import { FIT } from './first-view.ts';

/** The buttons that zoom a drawing. */
export const ViewButtons = memo(function ViewButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel
      position="bottom-left"
      className="m-2! flex gap-0.5 rounded-lg border border-line bg-surface p-1 shadow-card"
    >
      <IconButton label="Zoom in" className="size-8 max-md:hidden" onClick={() => void zoomIn()}>
        <ZoomIn size={17} />
      </IconButton>
      <IconButton label="Zoom out" className="size-8 max-md:hidden" onClick={() => void zoomOut()}>
        <ZoomOut size={17} />
      </IconButton>
      <IconButton label="Fit the view" className="size-8" onClick={() => void fitView(FIT)}>
        <Maximize size={17} />
      </IconButton>
    </Panel>
  );
});
