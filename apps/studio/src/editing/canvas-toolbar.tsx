import { Panel } from '@xyflow/react';
import { CircleHelp, Command as CommandIcon, Plus, Redo2, Search, StickyNote, Undo2, WandSparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import type { Command } from './shortcuts.ts';

/** The buttons above the canvas. */
export function CanvasToolbar({
  canUndo,
  canRedo,
  onCommand,
}: {
  canUndo: boolean;
  canRedo: boolean;
  onCommand: (command: Command) => void;
}) {
  const button = (command: Command, label: string, icon: ReactNode, isOff = false) => (
    <IconButton label={label} disabled={isOff} onClick={() => onCommand(command)}>
      {icon}
    </IconButton>
  );
  return (
    <Panel
      position="top-left"
      role="toolbar"
      aria-label="Edit the flow"
      className="m-2! flex max-w-[calc(100%-1rem)] flex-wrap items-center gap-0.5 rounded-lg border border-line bg-surface p-1 shadow-card"
    >
      <Button small onClick={() => onCommand('add')} aria-label="Add component" title="Add component (A)">
        <Plus size={16} aria-hidden="true" />
        <span className="max-sm:sr-only">Add component</span>
      </Button>
      {button('note', 'Add note (N)', <StickyNote size={17} />)}
      {button('undo', 'Undo', <Undo2 size={17} />, !canUndo)}
      {button('redo', 'Redo', <Redo2 size={17} />, !canRedo)}
      {button('arrange', 'Tidy up (L)', <WandSparkles size={17} />)}
      {button('find', 'Find in this flow (F)', <Search size={17} />)}
      {button('commands', 'All commands (Ctrl+K)', <CommandIcon size={17} />)}
      {button('help', 'Keys (?)', <CircleHelp size={17} />)}
    </Panel>
  );
}
