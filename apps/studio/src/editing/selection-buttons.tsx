import { NodeToolbar, Position, useStore } from '@xyflow/react';
import { AlignStartVertical, Copy, Group, Trash2 } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { PLACING } from './commands.ts';
import type { Command } from './shortcuts.ts';

/** The buttons above several selected components. */
export function SelectionButtons({ onCommand }: { onCommand: (command: Command) => void }) {
  const selected = useStore(({ nodes }) => {
    let ids = '';
    for (const { id, selected: isSelected, type } of nodes) if (isSelected && type !== 'frame') ids += `${id}\n`;
    return ids;
  });
  const ids = selected.split('\n').filter(Boolean);
  if (ids.length < 2) return null;
  return (
    <NodeToolbar
      nodeId={ids}
      isVisible
      position={Position.Top}
      offset={12}
      role="toolbar"
      aria-label={`${ids.length} selected`}
      className="nokeys flex items-center rounded-lg border border-line bg-raised p-0.5 shadow-float"
    >
      <Menu
        align="start"
        trigger={
          <IconButton label="Align and distribute" className="size-8">
            <AlignStartVertical size={16} />
          </IconButton>
        }
      >
        {PLACING.filter(({ command }) => ids.length > 2 || command.startsWith('align-')).map(({ command, label }) => (
          <MenuItem key={command} onSelect={() => onCommand(command)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <IconButton label="Group" className="size-8" onClick={() => onCommand('group')}>
        <Group size={16} />
      </IconButton>
      <IconButton label="Duplicate" className="size-8" onClick={() => onCommand('duplicate')}>
        <Copy size={16} />
      </IconButton>
      <IconButton label="Delete" className="size-8" onClick={() => onCommand('remove')}>
        <Trash2 size={16} />
      </IconButton>
    </NodeToolbar>
  );
}
