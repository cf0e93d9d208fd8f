import { NodeToolbar, Position } from '@xyflow/react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';

/** The buttons above the only selected card. */
export function CardToolbar({ id, children }: { id: string; children: ReactNode }) {
  return (
    <NodeToolbar
      nodeId={id}
      isVisible
      position={Position.Top}
      offset={8}
      className="flex rounded-lg border border-line bg-raised p-0.5 shadow-float"
    >
      {children}
    </NodeToolbar>
  );
}

/** A button of a {@link CardToolbar}. */
export function CardButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <IconButton label={label} className="size-8" onClick={onClick}>
      {children}
    </IconButton>
  );
}
